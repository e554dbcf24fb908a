// The page to annotate: a form, one pair at a time, and the end. Answers are shown at once and sent
// in their order; what couldn't be sent is tried again until the server takes it.
const page = element.querySelector('.annotate')
const $ = (selector) => page.querySelector(selector)
const all = (selector) => [...page.querySelectorAll(selector)]
const GIBBERISH = Number(page.dataset.gibberish)
const CHANGED = 'The pairs are others than this page has shown. Load it again.'
const RETRY = [500, 1000, 2000, 4000] // milliseconds
// What this tab remembers when it is loaded again; another tab may be somebody else's.
const remembered = 'textsimp-annotate' // who annotates
const unsent = 'textsimp-unsent' // answers that the server hasn't

let who = { name: page.dataset.name }
let part, n, at, active
let labels = {} // row → a label or null of each category
let pairs = new Map() // row → its texts, once they are there
const waiting = new Map() // row → what is to be sent: its newest labels, and which texts they are of
let sending = false

window.textsimpAnnotate?.abort() // what an earlier load of this script listens to
window.textsimpAnnotate = new AbortController()
const { signal } = window.textsimpAnnotate
const on = (target, event, handler) => target.addEventListener(event, handler, { signal })

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
  for (const name of ['.start', '.work', '.end']) $(name).hidden = name !== section
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
  $('.start [name=name]').value = who.name
  $('.start [name=name]').focus({ preventScroll: true })
}

on($('.start'), 'submit', async (event) => {
  event.preventDefault()
  const button = $('.start .main')
  button.disabled = true
  try {
    problem()
    who.name = $('.start [name=name]').value
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
  ;({ part, n, labels } = found)
  pairs = new Map()
  page.style.setProperty('--longest', found.longest)
  $('.who').textContent = part === 'qualification' ? `${who.name}, to qualify` : who.name
  const last = resend()
  if (found.result) return result(found.result)
  const row = last === undefined ? found.next : open(last)
  if (row === null) return end()
  show('.work')
  await go(row)
}

// Send what was answered before a reload, while the server was away; the last row of it.
function resend() {
  const left = recall(unsent)
  if (left.name !== who.name || left.part !== part) return undefined
  for (const [row, answer] of left.rows) {
    waiting.set(row, answer)
    labels[row] = answer.labels
  }
  send()
  return left.rows.at(-1)?.[0]
}

// A pair

const given = (row) => labels[row] ?? [null, null, null]
const complete = (row) => given(row).every((label) => label !== null)
// The first row from this one on that lacks labels, or else of all; null if there is none.
function open(from) {
  for (let i = from; i < from + n; i++) if (!complete(i % n)) return i % n
  return null
}
const done = () => Object.keys(labels).filter(complete).length

async function load(row) {
  const into = pairs // another part begins with a new map
  if (into.has(row)) return
  const found = await ask('pair', { row })
  if (into.size > 50) into.delete(into.keys().next().value)
  into.set(row, found)
}

async function go(row) {
  at = row
  active = given(row).indexOf(null)
  draw()
  if (!pairs.has(row)) blank() // nobody should read what isn't asked any more
  for (let i = 0; !pairs.has(row); i++) {
    try {
      await load(row)
    } catch (error) {
      problem(error)
      await pause(RETRY[Math.min(i, RETRY.length - 1)])
    }
    if (at !== row) return // gone on meanwhile
  }
  if (!waiting.size) problem()
  for (const side of ['source', 'prediction']) {
    $('.text.' + side).innerHTML = pairs.get(row)[side] // escaped by the server
    $('.text.' + side).scrollTop = 0
  }
  page.dataset.row = row
  if (row + 1 < n) load(row + 1).catch(() => {})
}

function blank() {
  for (const side of all('.text')) side.textContent = ''
  delete page.dataset.row
}

function draw() {
  $('.where').textContent = `${at + 1} of ${n} · ${done()} answered`
  $('progress').max = n
  $('progress').value = done()
  const found = given(at)
  const gibberish = found.every((label) => label === GIBBERISH)
  all('.question').forEach((question, i) => {
    question.classList.toggle('active', i === active)
    for (const button of question.querySelectorAll('[data-level]')) {
      button.setAttribute('aria-pressed', Number(button.dataset.level) === found[i])
    }
  })
  $('.gibberish').setAttribute('aria-pressed', gibberish)
  $('.next').classList.toggle('ready', complete(at))
  $('.back').disabled = at === 0
}

// Answers count only for texts that are there to be read.
const ready = () => Number(page.dataset.row) === at

function choose(category, label) {
  if (!ready()) return
  let found = [...given(at)]
  if (label === GIBBERISH) found = found.map(() => GIBBERISH)
  else found = found.map((old, i) => (i === category ? label : old === GIBBERISH ? null : old))
  labels[at] = found
  active = found.indexOf(null)
  waiting.set(at, { labels: found, seen: pairs.get(at).seen })
  keep()
  draw()
  send()
}

const keep = () => remember(unsent, { ...who, part, rows: [...waiting] })

async function send() {
  if (sending || !waiting.size) return
  sending = true
  for (let failed = 0; waiting.size; ) {
    const [row, answer] = waiting.entries().next().value
    status('Saving …')
    try {
      const { kept } = await ask('answer', { row, ...answer })
      if (failed) problem()
      failed = 0
      if (waiting.get(row) === answer) waiting.delete(row)
      keep()
      if (!kept) {
        delete labels[row]
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

// All that was answered has to be kept before something is made of it.
async function kept() {
  while (waiting.size) await pause(50)
}

function next() {
  if (at + 1 < n) go(at + 1)
  else finish()
}

async function finish() {
  await kept()
  if (part === 'qualification' && done() === n) {
    try {
      await start()
    } catch (error) {
      problem(error)
    }
  } else end()
}

// The end

function ended(title, told, { back, save, on }) {
  show('.end')
  $('.end .title').textContent = title
  $('.end .told').textContent = told
  $('.end .return').hidden = !back
  $('.end .return span').textContent = back ?? ''
  for (const button of all('.end .save')) button.hidden = !save
  $('.end .on').hidden = !on
  $('.end .title').focus({ preventScroll: true })
  scrollTo(0, 0)
}

function end() {
  const left = n - done()
  if (left) {
    ended(
      `${left} of ${n} ${left === 1 ? 'is' : 'are'} not answered yet`,
      'You can answer them now, or come back with the same name.',
      { back: 'Go to the first of them', save: part === 'pairs' },
    )
  } else {
    ended(`All ${n} answered. Thank you, ${who.name}!`, 'Every answer is kept.', {
      back: 'Look at them again',
      save: true,
    })
  }
}

function result({ right, of, asked, enough }) {
  const percent = (share) => `${Math.floor(100 * share + 1e-9)} %`
  ended(
    `You had ${right} of ${of} right: ${percent(right / of)}`,
    enough
      ? `At least ${percent(asked)} are asked, so you can begin.`
      : `At least ${percent(asked)} are asked. Read the scheme once more, and speak with whoever asked you before you go on.`,
    { on: true },
  )
}

on($('.end .on'), 'click', () => start({ skip: true }).catch(problem))
on($('.end .return'), 'click', () => {
  show('.work')
  go(open(0) ?? 0)
})
for (const button of all('.save')) {
  on(button, 'click', async () => {
    try {
      await kept()
      const { file, kind, text } = await ask('download', { csv: button.matches('.csv') })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([text], { type: kind }))
      link.download = file
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 1000)
    } catch (error) {
      problem(error)
    }
  })
}
on($('.leave'), 'click', async () => {
  await kept()
  remember(remembered, {})
  who.name = ''
  problem()
  form()
})

// Mouse, touch and keys

for (const button of all('.work button')) {
  on(button, 'click', (event) => {
    // After a click, keys are for the page again; who came by Tab stays where they are.
    if (event.detail) button.blur()
    if (button.dataset.level !== undefined) {
      choose(Number(button.closest('.question').dataset.category), Number(button.dataset.level))
    } else if (button.matches('.gibberish')) choose(null, GIBBERISH)
    else if (button.matches('.next')) next()
    else if (at > 0) go(at - 1)
  })
}

function point(to) {
  active = Math.min(Math.max(to, 0), 2)
  draw()
}

const KEYS = {
  g: () => choose(null, GIBBERISH),
  n: next,
  ArrowRight: next,
  Enter: next,
  b: () => at > 0 && go(at - 1),
  ArrowLeft: () => at > 0 && go(at - 1),
  i: () => point(0),
  d: () => point(1),
  s: () => point(2),
  ArrowUp: () => point(active < 0 ? 2 : active - 1),
  ArrowDown: () => point(active < 0 ? 0 : active + 1),
  '?': () => ($('.scheme').open = !$('.scheme').open),
}
for (const level of [0, 1, 2]) KEYS[level] = () => active >= 0 && choose(active, level)

on(document, 'keydown', (event) => {
  if ($('.work').hidden || event.ctrlKey || event.altKey || event.metaKey) return
  if (event.target.closest('input, textarea, select')) return
  if (event.key === 'Enter' && event.target.closest('button, a, summary')) return
  if (/^Arrow(Up|Down)$/.test(event.key) && event.target.closest('.text, .scheme div')) return // scrolls
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key]
  if (!act) return
  event.preventDefault()
  if (!event.repeat) act() // a key that is held down answers once
})
on(window, 'beforeunload', (event) => waiting.size && event.preventDefault())

who = { ...who, ...recall(remembered) }
// Whoever tries the example pairs begins at once, and may type a name later.
if (!who.name && 'visitor' in page.dataset) who.name = `visitor ${Math.floor(Math.random() * 1e6)}`
if (who.name) {
  start().catch((error) => {
    form()
    problem(error)
  })
} else form()
