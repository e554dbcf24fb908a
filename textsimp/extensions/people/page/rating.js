// The page on which people rate: a form, instructions, one screen after the other, and the end.
// What is on a screen is in rating_screen.js.
// Answers are shown at once and sent in their order; what couldn't be sent is tried again until the
// server takes it.
const page = element.querySelector('.rate')
const $ = (selector) => page.querySelector(selector)
const all = (selector) => [...page.querySelectorAll(selector)]
const RATERS = JSON.parse(page.dataset.raters) // null: each opens a link with a token
const CHANGED = 'The study was changed and doesn’t have this screen any more. Load the page again.'
const LINK = 'Open the link that you were given. It is yours alone.'
const RETRY = [500, 1000, 2000, 4000] // milliseconds
const TYPING = 500 // milliseconds after which what is typed or dragged is sent
// What this tab remembers when it is loaded again; another tab may be somebody else's.
const remembered = 'textsimp-rate' // who rates
const unsent = 'textsimp-unsent' // answers that the server hasn't

let who = { name: '', token: '' }
let part, n, scheme, at, active, asked
let given = {} // row → ratings, comment and seconds
let feedback = {} // row → what was right in practice
let screens = new Map() // row → what is seen, once it is there
let questions = [] // of the screen
let past = [] // [row, what was given before] of each change
let counted = 0 // seconds on this screen until …
let since = null // … this time, from which on they are counted; null while nobody looks
const waiting = new Map() // row → what is to be sent
let sending = false
let later

window.textsimpRate?.abort() // what an earlier load of this script listens to
window.textsimpRate = new AbortController()
const { signal } = window.textsimpRate
const on = (target, event, handler) => target.addEventListener(event, handler, { signal })

// A new element. Strings among its parts are text, never HTML.
function h(tag, attributes = {}, ...parts) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...parts)
  return made
}

async function ask(what, message) {
  const reply = await server[what]({ ...who, part, ...message })
  if (reply.error !== undefined) throw Object.assign(new Error(reply.error), { told: true })
  return reply
}

function problem(error) {
  const box = $('.problem')
  box.hidden = !error
  if (error) box.textContent = error.told ? error.message : 'The server does not answer. Try again.'
}

function show(section) {
  clock(section === '.work')
  for (const name of ['.start', '.intro', '.work', '.end']) $(name).hidden = name !== section
  $('.foot').hidden = section === '.start'
}

function remember(what, value) {
  try {
    sessionStorage.setItem(what, JSON.stringify(value))
  } catch {} // a browser may forbid it in a frame: then a reload asks for the name
}

function recall(what) {
  try {
    return JSON.parse(sessionStorage.getItem(what)) ?? {}
  } catch {
    return {}
  }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

// The form

function form() {
  show('.start')
  $('.start').hidden = RATERS === null
  if (RATERS === null) return problem(Object.assign(new Error(LINK), { told: true }))
  const [choice, box] = [$('.start select'), $('.start input')]
  const none = h('option', { value: '' }, 'Choose')
  choice.replaceChildren(none, ...RATERS.map((name) => h('option', {}, name)))
  const [used, other] = RATERS.length ? [choice, box] : [box, choice]
  other.hidden = other.disabled = true
  used.value = who.name
  used.focus({ preventScroll: true })
}

on($('.start'), 'submit', async (event) => {
  event.preventDefault()
  const button = $('.start .main')
  button.disabled = true
  try {
    problem()
    who.name = $('.start [name=name]:enabled').value
    await start()
  } catch (error) {
    problem(error)
  } finally {
    button.disabled = false
  }
})

async function start(further = {}) {
  const found = await ask('start', further)
  problem()
  who.name = found.name
  remember(remembered, who)
  ;({ part, n, scheme, given } = found)
  feedback = found.feedback ?? {}
  screens = new Map()
  past = []
  blank()
  asked = undefined
  page.style.setProperty('--longest', found.longest)
  page.dataset.grouping = scheme.grouping
  $('.who').textContent = who.name
  $('.leave').hidden = RATERS === null
  $('.public').hidden = RATERS?.length !== 0
  for (const button of all('.save')) button.hidden = part === 'practice'
  $('.help > div').replaceChildren(...explain(), keys())
  const last = resend() ?? found.last
  const row = open(last ?? 0)
  if (row === null && part === 'practice') return result(found.result)
  if (row === null) return end()
  if (last === null && (part === 'practice' || !further.skip)) return introduce()
  await work(row)
}

// Send what was answered before a reload, while the server was away; the last row of it.
function resend() {
  const left = recall(unsent)
  if (left.name !== who.name || left.part !== part) return undefined
  for (const [row, answer] of left.rows) {
    waiting.set(row, answer)
    given[row] = answer
  }
  send()
  return left.rows.at(-1)?.[0]
}

function introduce() {
  show('.intro')
  const follows = n === 1 ? '1 screen to practise on follows' : `${n} screens to practise on follow`
  $('.intro .title').textContent = part === 'practice' ? `Instructions. ${follows}.` : 'Instructions'
  $('.intro .told').replaceChildren(...explain(), keys())
  $('.intro .title').focus({ preventScroll: true })
  scrollTo(0, 0)
}
on($('.begin'), 'click', () => work(0))

// A screen

// Every output of a row has every rating.
function complete(row) {
  const { ratings } = given[row] ?? {}
  const rated = (one) => scheme.criteria.every(({ name }) => (one[name] ?? null) !== null)
  return Boolean(ratings) && ratings.every(rated)
}
// In practice an answer counts when it was checked.
const answered = (row) => (part === 'practice' ? feedback[row] !== undefined : complete(row))
// The first row from this one on that lacks ratings, or else of all; null if there is none.
function open(from) {
  for (let i = from; i < from + n; i++) if (!answered(i % n)) return i % n
  return null
}
const done = () => Object.keys(given).filter(answered).length

// The rating of a question; null if it has none.
const value = ({ output, name }) => given[at]?.ratings[output]?.[name] ?? null

async function load(row) {
  const into = screens // another part begins with a new map
  if (into.has(row)) return
  const found = await ask('screen', { row })
  into.set(row, found)
  if (found.given && !waiting.has(row)) given[row] = found.given // perhaps of another tab
}

function work(row) {
  show('.work')
  return go(row)
}

async function go(row) {
  flush()
  clock(false)
  at = row
  if (page.getBoundingClientRect().top < 0) page.scrollIntoView() // texts are to be read first
  if (!screens.has(row)) blank() // nobody should read what isn't asked any more
  draw()
  for (let i = 0; !screens.has(row); i++) {
    try {
      await load(row)
    } catch (error) {
      problem(error)
      await pause(RETRY[Math.min(i, RETRY.length - 1)])
    }
    if (at !== row) return // gone on meanwhile
  }
  if (!waiting.size) problem()
  const { source, references, outputs } = screens.get(row)
  build(outputs.length)
  const fill = (box, html) => {
    box.innerHTML = html // escaped by the server
    box.scrollTop = 0
  }
  if (source !== undefined) fill($('.source .text'), source)
  if (references !== undefined) fill($('.references .text'), references.join('\n\n'))
  all('.output .text').forEach((box, i) => fill(box, outputs[i]))
  page.dataset.row = row
  counted = given[row]?.seconds ?? 0
  clock(true)
  $('.comment textarea').value = given[row]?.comment ?? ''
  point(Math.max(questions.findIndex((one) => value(one) === null), 0))
  if (row + 1 < n) load(row + 1).catch(() => {})
}

function blank() {
  for (const box of all('.text')) box.textContent = ''
  delete page.dataset.row
}

// Answers count only for texts that are there to be read.
const ready = () => Number(page.dataset.row) === at
const locked = () => part === 'practice' && feedback[at] !== undefined

// Count seconds from now on, or not any more.
function clock(runs) {
  if (since !== null) counted += (performance.now() - since) / 1000
  since = runs && !document.hidden ? performance.now() : null
}
on(document, 'visibilitychange', () => clock(!$('.work').hidden))

function draw() {
  const where = `${at + 1} of ${n} · ${done()}`
  $('.where').textContent = part === 'practice' ? `Practice: ${where} checked` : `${where} rated`
  $('progress').max = n
  $('progress').value = done()
  all('.question').forEach((box, i) => drawAnswer(box, questions[i], i))
  drawOrder()
  drawFeedback()
  $('.next').classList.toggle('ready', complete(at))
  $('.next span').textContent = part === 'practice' && !locked() ? 'Check' : 'Next'
  $('.back').disabled = at === 0
  $('.undo').disabled = !past.length
  $('.comment').hidden = part === 'practice'
}

// Answers

function change(alter, soon) {
  const mine = given[at] ?? { ratings: [], comment: '' }
  const rows = compares() ? 1 : asked
  const ratings = Array.from({ length: rows }, (_, i) => ({ ...mine.ratings[i] }))
  given[at] = { ...mine, ratings }
  alter(given[at])
  put(at, soon)
}

// An answer is to be sent: soon, if there may be more to it at once.
function put(row, soon = 0) {
  if (part === 'practice') return // it is sent as a whole
  if (row === at) {
    clock(true)
    given[row].seconds = counted
  }
  waiting.set(row, { ...given[row], seen: screens.get(row).seen })
  remember(unsent, { ...who, part, rows: [...waiting] })
  clearTimeout(later)
  later = setTimeout(send, soon)
}

function choose(question, chosen) {
  if (!ready() || locked()) return
  const index = questions.indexOf(question)
  const last = past.at(-1)
  const again = question.slider && last?.[0] === at && last[2] === index
  if (!again) past.push([at, structuredClone(given[at]), index]) // a slider's way is one answer
  active = index
  change(({ ratings }) => set(ratings[question.output], question, chosen), question.slider ? TYPING : 0)
  const left = questions.findIndex((one) => value(one) === null)
  if (question.slider || left < 0) draw()
  else point(left)
}

// Set a rating among those of an output, or of a comparison.
function set(own, { name, aside }, chosen) {
  own[name] = chosen
  for (const other of aside === null ? [] : scheme.criteria) {
    if (other.aside !== aside) continue // it stands for all criteria that have it
    if (chosen === aside) own[other.name] = aside
    else if (own[other.name] === aside) own[other.name] = null
  }
}

function undo() {
  const [row, before, index] = past.pop() ?? []
  if (row === undefined || (part === 'practice' && feedback[row])) return
  const none = given[row].ratings.map(() => ({}))
  given[row] = before ?? { ratings: none, comment: '', seconds: counted }
  put(row)
  if (row === at) point(index)
  else go(row)
}

async function send() {
  clearTimeout(later)
  if (sending || !waiting.size) return
  sending = true
  for (let failed = 0; waiting.size; ) {
    const [row, answer] = waiting.entries().next().value
    status('Saving …')
    try {
      const { kept } = await ask('answer', answer)
      if (failed) problem()
      failed = 0
      if (waiting.get(row) === answer) waiting.delete(row)
      remember(unsent, { ...who, part, rows: [...waiting] })
      if (!kept) {
        delete given[row]
        problem(Object.assign(new Error(CHANGED), { told: true }))
      }
    } catch (error) {
      status('Not saved: trying again', true)
      if (error.told) problem(error)
      await pause(RETRY[Math.min(failed++, RETRY.length - 1)])
    }
  }
  sending = false
  status('Saved')
}

function status(text, bad = false) {
  $('.saved').textContent = text
  $('.saved').classList.toggle('bad', bad)
}

function flush() {
  const box = $('.comment textarea')
  if (ready() && box.value !== (given[at]?.comment ?? '')) change((mine) => (mine.comment = box.value))
  send()
}

// All that was answered has to be kept before something is made of it.
async function kept() {
  flush()
  while (waiting.size) await pause(50)
}

async function check() {
  const row = at
  if (!ready() || !complete(row)) return point(questions.findIndex((one) => value(one) === null))
  clock(true)
  try {
    const reply = await ask('answer', { ...given[row], seconds: counted, seen: screens.get(row).seen })
    problem()
    feedback[row] = reply.feedback
    draw()
    $('.feedback').scrollIntoView({ block: 'nearest' })
  } catch (error) {
    problem(error)
  }
}

async function next() {
  if (part === 'practice' && !locked()) return check()
  if (at + 1 < n) return go(at + 1)
  await kept()
  if (part === 'practice') start().catch(problem)
  else end()
}

function back() {
  if (at > 0) go(at - 1)
}

// The end, or a pause

let returning = () => {}
function ended(heading, told, go, then, byKey = true) {
  show('.end')
  $('.end .title').textContent = heading
  $('.end .told').textContent = told
  $('.return span').textContent = go
  $('.return kbd').hidden = !byKey // nobody should begin anew by a key too many
  returning = then
  $('.end .title').focus({ preventScroll: true })
  scrollTo(0, 0)
}

async function end() {
  await kept()
  const left = n - done()
  if (part === 'practice' && !left) return start().catch(problem)
  const again = () => work(left ? open(at ?? 0) : 0)
  if (left) {
    const way = RATERS === null ? 'by the same link' : 'with the same name'
    const told = `Time isn’t counted now. Go on, or come back ${way}.`
    ended(`${left} of ${n} ${left === 1 ? 'is' : 'are'} left`, told, 'Go on', again)
  } else {
    const heading = `All ${n} rated. Thank you, ${who.name}!`
    ended(heading, 'Every answer is kept.', 'Look at them again', again, false)
  }
}

function result({ right, of, asked }) {
  const percent = (share) => `${Math.floor(100 * share + 1e-9)} %`
  const told = `At least ${percent(asked)} are asked`
  const heading = `You had ${right} of ${of} right: ${percent(right / of)}`
  const begin = (how) => () => start(how).catch(problem)
  if (right >= asked * of - 1e-9) {
    return ended(heading, `${told}, so you can begin.`, 'Begin', begin({ skip: true }))
  }
  const again = 'Read the instructions once more, and practise again.'
  ended(heading, `${told}. ${again}`, 'Practise again', begin({ again: true }), false)
}

on($('.return'), 'click', () => returning())
for (const button of all('.save')) {
  on(button, 'click', async () => {
    try {
      await kept()
      const { file, kind, text } = await ask('download', { csv: button.matches('.csv') })
      const address = URL.createObjectURL(new Blob([text], { type: kind }))
      const link = h('a', { href: address, download: file })
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 1000)
    } catch (error) {
      problem(error)
    }
  })
}
on($('.leave'), 'click', async () => {
  await kept()
  who.name = ''
  remember(remembered, who)
  problem()
  form()
})

// Mouse, touch and keys

const BUTTONS = { '.back': back, '.next': next, '.undo': undo, '.pause': end }
for (const [selector, act] of Object.entries(BUTTONS)) {
  on($(selector), 'click', (event) => {
    if (event.detail) $(selector).blur()
    act()
  })
}
on($('.comment textarea'), 'input', () => {
  clearTimeout(later)
  later = setTimeout(flush, TYPING)
})

const entry = () => all('.question')[active].querySelector('[type=number]')

// Mark a question.
function point(to) {
  active = Math.min(Math.max(to, 0), questions.length - 1)
  const box = all('.question')[active]
  const focused = document.activeElement
  if (focused?.matches('.rate input') && !box.contains(focused)) focused.blur()
  draw()
  if (scheme.grouping === 'source') box.scrollIntoView({ block: 'nearest' })
}

// Enter goes to the next slider that isn't set, and else to the next screen. It stays where a number
// isn't on the scale.
function enter() {
  const left = questions.findIndex((one) => value(one) === null)
  if (questions[active]?.slider && !entry().reportValidity()) return
  if (questions[active]?.slider && value(questions[active]) !== null && left >= 0) point(left)
  else next()
}

const KEYS = {
  Enter: enter,
  ArrowRight: next,
  ArrowLeft: back,
  ArrowUp: () => point(active - 1),
  ArrowDown: () => point(active + 1),
  u: undo,
  p: end,
  m: () => $('.comment textarea').focus(),
  '?': () => ($('.help').open = !$('.help').open),
}
let minus = '' // a step below zero is typed with its sign

on(document, 'keydown', (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const { target } = event
  const presses = key === 'Enter' && target.closest('button, a, summary')
  if (key === 'Enter' && !presses && !event.repeat) {
    if (!$('.intro').hidden) return work(0)
    if (!$('.end').hidden && !$('.return kbd').hidden) return returning()
  }
  if ($('.work').hidden || event.altKey || event.metaKey || presses) return
  if (target.closest('textarea')) return key === 'Escape' && target.blur()
  if (event.ctrlKey) return key === 'z' && (event.preventDefault(), undo())
  if (/^Arrow(Up|Down)$/.test(key) && target.closest('.text, .help div')) return // scrolls
  const box = questions[active]?.slider && entry()
  if (box && /^[\d.-]$/.test(key)) return box !== target && (box.focus(), box.select()) // it gets the key
  if (target.closest('.rate input') && edits(target, key)) return
  if (key === '-' || key === '−') return void (minus = '-')
  const typed = minus + key
  minus = ''
  const option = questions[active]?.options.find((one) => one.key === typed)
  const chooses = option && !questions[active].slider
  const act = chooses ? () => choose(questions[active], option.value) : KEYS[key]
  if (!act) return
  event.preventDefault()
  if (!event.repeat) act() // a key that is held down answers once
})

// Whether a slider, or the number beside it, does something of its own by a key.
function edits({ type }, key) {
  if (/^(Backspace|Delete|Home|End|Tab)$/.test(key)) return true
  return type === 'range' && /^Arrow(Left|Right)$/.test(key)
}
on(window, 'beforeunload', (event) => {
  flush()
  if (waiting.size) event.preventDefault()
})

who = { ...who, ...recall(remembered) }
const link = new URLSearchParams(location.search) // it may say whose page it is
if (link.get('token') && link.get('token') !== who.token) who = { name: '', token: link.get('token') }
if (RATERS !== null && link.get('rater')) who.name = link.get('rater')
if (RATERS?.length === 0) {
  // Whoever tries the example begins at once, and may type a name later. Nobody else has the token.
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  who.token ||= bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  who.name ||= `visitor ${Math.floor(Math.random() * 1e6)}`
}
if (RATERS === null ? who.token : who.name) {
  start().catch((error) => {
    form()
    problem(error)
  })
} else form()
