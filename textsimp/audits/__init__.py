"""Audit scores: how they are gamed, and which errors they notice."""
