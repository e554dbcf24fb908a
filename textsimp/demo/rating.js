// The page on which people rate: a form, instructions, one screen after the other, and the end.
// Answers are shown at once and sent in their order; what couldn't be sent is tried again until the
// server takes it.
const page = element.querySelector('.rate')
const $ = (selector) => page.querySelector(selector)
const all = (selector) => [...page.querySelectorAll(selector)]
const RATERS = JSON.parse(page.dataset.raters)
const CHANGED = 'The study was changed, and this screen is no part of it any more. Load the page again.'
const RETRY = [500, 1000, 2000, 4000] // milliseconds
const TYPING = 500 // milliseconds after which what is typed or dragged is sent
// What this tab remembers when it is loaded again; another tab may be somebody else's.
const remembered = 'textsimp-rate' // who rates
const unsent = 'textsimp-unsent' // answers that the server hasn't

let who = { name: '' }
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
  const [choice, box] = [$('.start select'), $('.start input')]
  choice.replaceChildren(h('option', { value: '' }, 'Choose'), ...RATERS.map((name) => h('option', {}, name)))
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
  asked = undefined
  page.style.setProperty('--longest', found.longest)
  page.dataset.grouping = scheme.grouping
  $('.who').textContent = who.name
  $('.public').hidden = RATERS.length > 0
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

// The scheme

const number = (value) => String(value).replace('-', '−')

function explain() {
  const parts = [h('p', {}, scheme.instructions)]
  for (const { name, question, steps } of scheme.criteria) {
    parts.push(h('p', { class: 'criterion' }, h('b', {}, title(name)), ' ', question))
    if (!steps.length) continue
    const list = h('dl')
    for (const [step, wording] of steps) list.append(h('dt', {}, number(step)), h('dd', {}, wording))
    parts.push(list)
  }
  return parts
}

const title = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ')

// What is pressed to answer.
function keys() {
  const told = {
    pair: 'A, B or E (equal) answers the question that is marked.',
    four: 'A letter answers the question that is marked.',
  }[scheme.grouping] ?? 'The number of a step answers the question that is marked. Type numbers of sliders.'
  const aside = scheme.criteria.some((one) => one.aside !== null) ? ' X says that it can’t be judged.' : ''
  return h('p', {}, `Keys: ${told}${aside} ↑ ↓ go to another question, Enter or → to the next screen, ← back. ` +
    'U takes the last answer back, M writes a comment, P pauses, ? shows this.')
}

function introduce() {
  show('.intro')
  $('.intro .title').textContent = part === 'practice' ? `Instructions. ${n} screens to practise follow.` : 'Instructions'
  $('.intro .told').replaceChildren(...explain(), keys())
  $('.intro .title').focus({ preventScroll: true })
  scrollTo(0, 0)
}
on($('.begin'), 'click', () => work(0))

// The questions of a screen: one for each output and criterion, or criterion; best and worst apart.
function inquire(outputs) {
  const compares = ['pair', 'four'].includes(scheme.grouping)
  const roles = scheme.grouping === 'four' ? ['best', 'worst'] : [null]
  const found = []
  for (let output = 0; output < (compares ? 1 : outputs); output++) {
    for (const criterion of scheme.criteria) {
      for (const role of roles) found.push({ output, role, ...criterion, options: options(criterion, outputs) })
    }
  }
  return found
}

// What can be answered: value, what a button says, and the key for it.
function options({ steps, aside }, outputs) {
  const letters = [...'ABCD'].slice(0, outputs)
  if (scheme.grouping === 'four') return letters.map((one) => ({ value: one, label: one, key: one.toLowerCase() }))
  if (scheme.grouping === 'pair') {
    return ['A', 'equal', 'B'].map((one) => ({ value: one, label: one, key: one[0].toLowerCase() }))
  }
  const scale = steps.filter(([step]) => step !== aside)
  const typed = scale.every(([step]) => Number.isInteger(step) && Math.abs(step) < 10)
  return steps.map(([value, wording]) => {
    const key = value === aside ? 'x' : String(typed ? value : scale.findIndex(([step]) => step === value) + 1)
    return { value, wording, key, label: value === aside ? '' : number(value), hint: key !== String(value) }
  })
}

const names = (outputs) => (scheme.grouping === 'output' ? [single()] : [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, outputs))
const single = () => (scheme.shows.includes('source') ? 'Simpler version' : 'Text')

// Draw boxes for texts, and what is asked about them, for as many outputs.
function build(outputs) {
  if (asked === outputs) return
  asked = outputs
  questions = inquire(outputs)
  const together = scheme.grouping !== 'source'
  const box = (kind, name) =>
    h('article', { class: kind }, h('h2', {}, name, h('span', { class: 'rank' })), h('p', { class: 'text', tabindex: 0 }))
  const texts = []
  if (scheme.shows.includes('source')) texts.push(box('source', 'Source'))
  if (scheme.shows.includes('references')) texts.push(box('references', 'References'))
  if (!together) texts.push(h('article', { class: 'legend' }, ...explain().slice(1)))
  const boxes = names(outputs).map((name) => box('output', name))
  $('.seen').replaceChildren(...texts, h('div', { class: 'outputs' }, ...boxes))
  const drawn = questions.map(drawQuestion)
  $('.questions').replaceChildren(...(together ? drawn : []))
  if (!together) drawn.forEach((one, i) => boxes[questions[i].output].append(one))
  $('.order').hidden = together
  page.style.setProperty('--asked', questions.length)
}

function drawQuestion(question, i) {
  const { name, role, slider } = question
  const heading = h('button', { type: 'button', class: 'ask', id: `q-${i}` },
    h('b', {}, title(role ?? name)), ' ', h('span', {}, role === 'worst' ? '' : question.question), h('output'))
  heading.addEventListener('click', () => point(i))
  const controls = slider ? drawSlider(question, i) : question.options.map((option) => drawOption(question, option))
  const made = h('div', { class: 'question', role: 'group', 'aria-labelledby': `q-${i}` },
    heading, h('div', { class: slider ? 'slider' : 'options' }, ...controls))
  made.style.setProperty('--steps', question.options.length)
  return made
}

function drawOption(question, { value, label, wording, key, hint }) {
  const made = h('button', { type: 'button', 'aria-pressed': false, 'data-value': value })
  if (hint) made.append(h('kbd', {}, key.toUpperCase()))
  if (label) made.append(h('b', {}, label))
  if (wording) made.append(h('span', {}, wording))
  made.addEventListener('click', (event) => {
    if (event.detail) made.blur() // after a click, keys are for the page again; who came by Tab stays
    choose(question, value)
  })
  return made
}

function drawSlider(question, i) {
  const [least, most] = [question.steps[0][0], question.steps.at(-1)[0]]
  const limits = { min: least, max: most, 'aria-labelledby': `q-${i}` }
  const range = h('input', { type: 'range', step: 1, ...limits })
  const box = h('input', { type: 'number', step: 'any', inputmode: 'numeric', ...limits })
  const set = (value) => value >= least && value <= most && choose(question, value)
  range.addEventListener('input', () => set(Number(range.value)))
  range.addEventListener('pointerup', () => value(question) === null && set(Number(range.value)))
  box.addEventListener('input', () => (box.value === '' ? choose(question, null) : set(Number(box.value))))
  for (const one of [range, box]) one.addEventListener('focus', () => point(i))
  const anchors = question.steps.map(([step, wording]) => h('li', {}, h('b', {}, number(step)), ' ', wording))
  return [range, box, h('ul', {}, ...anchors)]
}

// A screen

// Every output of a row has every rating.
function complete(row) {
  const { ratings } = given[row] ?? {}
  const answered = (rating) => rating != null && !(Array.isArray(rating) && rating.includes(null))
  return Boolean(ratings) && ratings.every((one) => scheme.criteria.every(({ name }) => answered(one[name])))
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
function value({ output, name, role }) {
  const rating = given[at]?.ratings[output]?.[name] ?? null
  return role && rating ? rating[role === 'best' ? 0 : 1] : rating
}

async function load(row) {
  const into = screens // another part begins with a new map
  if (into.has(row)) return
  const found = await ask('screen', { row })
  if (into.size > 50) into.delete(into.keys().next().value)
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
  const told = part === 'practice' ? 'Practice: ' : ''
  $('.where').textContent = `${told}${at + 1} of ${n} · ${done()} ${part === 'practice' ? 'checked' : 'rated'}`
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

function drawAnswer(box, question, i) {
  const answer = value(question)
  const { right, expected } = feedback[at] ?? {}
  const known = expected?.[question.output]?.[question.name]
  box.classList.toggle('active', i === active)
  box.querySelector('output').textContent = answer === null ? '' : number(answer)
  for (const button of box.querySelectorAll('[data-value]')) {
    button.setAttribute('aria-pressed', button.dataset.value === String(answer))
  }
  box.classList.toggle('right', known !== undefined && right[question.output][question.name])
  box.classList.toggle('wrong', known !== undefined && !right[question.output][question.name])
  if (!question.slider) return
  const [range, entry] = box.querySelectorAll('input')
  range.classList.toggle('unset', answer === null)
  range.setAttribute('aria-valuetext', answer === null ? 'not rated' : answer)
  if (answer !== null) range.value = answer
  else range.value = (Number(range.min) + Number(range.max)) / 2
  if (document.activeElement !== entry || Number(entry.value) !== answer) entry.value = answer ?? ''
}

// The order that ratings give, from the highest.
function drawOrder() {
  if (scheme.grouping !== 'source' || !asked) return
  const lines = scheme.criteria.map(({ name, steps, aside }) => {
    const places = new Map(steps.map(([step], i) => [step, typeof step === 'number' ? step : i]))
    const rated = questions
      .filter((one) => one.name === name && value(one) !== null && value(one) !== aside)
      .map((one) => [places.get(value(one)) ?? value(one), one.output])
      .sort(([one, i], [other, j]) => other - one || i - j)
    let text = ''
    rated.forEach(([rating, output], i) => {
      if (i) text += rating === rated[i - 1][0] ? ' = ' : ' > '
      text += names(asked)[output]
      const ahead = rated.filter(([other]) => other > rating).length
      if (scheme.criteria.length === 1) all('.output .rank')[output].textContent = ` · place ${ahead + 1}`
    })
    return `${scheme.criteria.length > 1 ? `${title(name)}: ` : 'Order: '}${text || '–'}`
  })
  $('.order').textContent = lines.join(' · ')
  for (const [i, rank] of all('.output .rank').entries()) {
    if (questions.some((one) => one.output === i && value(one) === null)) rank.textContent = ''
  }
}

// What is right, in practice.
function drawFeedback() {
  const box = $('.feedback')
  const { right, expected, why } = feedback[at] ?? {}
  box.hidden = !right
  if (!right) return
  const told = (rating) => (Array.isArray(rating) && scheme.grouping !== 'four' ? rating.map(number).join(' to ') : [rating].flat().map(number).join(' and '))
  const lines = right.flatMap((own, i) =>
    Object.entries(own).map(([name, ok]) => {
      const which = right.length > 1 ? `${names(asked)[i]}, ` : ''
      const answer = ok ? '✓ right' : `✗ expected ${told(expected[i][name])}`
      return h('li', {}, h('b', {}, which + title(name)), ` ${answer}`)
    }),
  )
  box.replaceChildren(h('ul', {}, ...lines), h('p', {}, why))
}

// Answers

function change(alter, soon) {
  const mine = given[at] ?? { ratings: [], comment: '' }
  const rows = ['pair', 'four'].includes(scheme.grouping) ? 1 : asked
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
  const again = past.at(-1)?.[0] === at && past.at(-1)[2] === index && question.slider
  if (!again) past.push([at, structuredClone(given[at]), index]) // a slider's way is one answer
  active = index
  change(({ ratings }) => {
    const own = ratings[question.output]
    const { name, role, aside } = question
    if (role) {
      const both = [...(own[name] ?? [null, null])]
      const place = role === 'best' ? 0 : 1
      both[place] = chosen
      if (both[1 - place] === chosen) both[1 - place] = null
      own[name] = both
      return
    }
    own[name] = chosen
    if (aside === null) return
    for (const other of scheme.criteria) {
      if (other.aside !== aside) continue // it stands for all criteria that have it
      if (chosen === aside) own[other.name] = aside
      else if (own[other.name] === aside) own[other.name] = null
    }
  }, question.slider ? TYPING : 0)
  if (!question.slider) {
    const left = questions.findIndex((one) => value(one) === null)
    if (left >= 0) return point(left)
  }
  draw()
}

function undo() {
  const last = past.pop()
  if (!last) return
  const [row, before] = last
  if (part === 'practice' && feedback[row]) return
  given[row] = before ?? { ratings: given[row].ratings.map(() => ({})), comment: '', seconds: counted }
  put(row)
  if (row === at) {
    point(last[2])
  } else go(row)
}

// What the server takes: of best and worst both or none.
function whole(ratings) {
  return ratings.map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, rating]) => [name, Array.isArray(rating) && rating.includes(null) ? null : rating])))
}

async function send() {
  clearTimeout(later)
  if (sending || !waiting.size) return
  sending = true
  for (let failed = 0; waiting.size; ) {
    const [row, answer] = waiting.entries().next().value
    status('Saving …')
    try {
      const { kept } = await ask('answer', { ...answer, ratings: whole(answer.ratings) })
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
function ended(heading, told, go, then, more = true) {
  show('.end')
  $('.end .title').textContent = heading
  $('.end .told').textContent = told
  $('.return span').textContent = go
  $('.return kbd').hidden = !more // nobody should begin anew by a key too many
  for (const button of all('.end .save')) button.hidden = part === 'practice'
  returning = then
  $('.end .title').focus({ preventScroll: true })
  scrollTo(0, 0)
}

async function end() {
  await kept()
  const left = n - done()
  if (left) {
    const told = 'Time isn’t counted now. Go on, or come back with the same name.'
    ended(`${left} of ${n} ${left === 1 ? 'is' : 'are'} left`, told, 'Go on', () => work(open(at ?? 0)))
  } else {
    ended(`All ${n} rated. Thank you, ${who.name}!`, 'Every answer is kept.', 'Look at them again', () => work(0), false)
  }
}

function result({ right, of, asked }) {
  const percent = (share) => `${Math.floor(100 * share + 1e-9)} %`
  const enough = asked === null || right >= asked * of - 1e-9
  const told = asked === null ? 'You can begin.'
    : enough ? `At least ${percent(asked)} are asked, so you can begin.`
    : `At least ${percent(asked)} are asked. Read the instructions once more, and speak with whoever asked you before you go on.`
  ended(`You had ${right} of ${of} right: ${percent(right / of)}`, told, 'Begin', () => start({ skip: true }).catch(problem))
}

on($('.return'), 'click', () => returning())
for (const button of all('.save')) {
  on(button, 'click', async () => {
    try {
      await kept()
      const { file, kind, text } = await ask('download', { csv: button.matches('.csv') })
      const link = h('a', { href: URL.createObjectURL(new Blob([text], { type: kind })), download: file })
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

// Mark a question.
function point(to) {
  active = Math.min(Math.max(to, 0), questions.length - 1)
  const box = all('.question')[active]
  if (!box.contains(document.activeElement) && document.activeElement?.matches('.rate input')) document.activeElement.blur()
  draw()
  if (scheme.grouping === 'source') box.scrollIntoView({ block: 'nearest' })
}

// Enter goes to the next slider that isn't set, and else to the next screen.
function enter() {
  const left = questions.findIndex((one) => value(one) === null)
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
  const presses = key === 'Enter' && event.target.closest('button, a, summary')
  if (key === 'Enter' && !presses && !event.repeat) {
    if (!$('.intro').hidden) return work(0)
    if (!$('.end').hidden && !$('.return kbd').hidden) return returning()
  }
  if ($('.work').hidden || event.altKey || event.metaKey) return
  if (event.target.closest('textarea')) return key === 'Escape' && event.target.blur()
  if (event.ctrlKey) return key === 'z' && (event.preventDefault(), undo())
  const entry = event.target.closest('.rate input')
  if (entry && (/^([\d.-]|Backspace|Delete|Home|End|Tab)$/.test(key) || (entry.type === 'range' && /^Arrow(Left|Right)$/.test(key)))) return
  if (presses) return
  if (/^Arrow(Up|Down)$/.test(key) && event.target.closest('.text, .help div')) return // scrolls
  if (key === '-' || key === '−') return void (minus = '-')
  const typed = minus + key
  minus = ''
  const option = questions[active]?.options.find((one) => one.key === typed)
  const act = option && !questions[active].slider ? () => choose(questions[active], option.value) : KEYS[key]
  const numeral = !entry && questions[active]?.slider && /^[\d.]$/.test(key)
  if (numeral) all('.question')[active].querySelector('[type=number]').select() // takes the key
  if (numeral || !act) return
  event.preventDefault()
  if (!event.repeat) act() // a key that is held down answers once
})
on(window, 'beforeunload', (event) => {
  flush()
  if (waiting.size) event.preventDefault()
})

who = { ...who, ...recall(remembered) }
const linked = new URLSearchParams(location.search).get('rater') // a link may say whose page it is
if (linked) who.name = linked
// Whoever tries the example begins at once, and may type a name later.
if (!who.name && !RATERS.length) who.name = `visitor ${Math.floor(Math.random() * 1e6)}`
if (who.name) {
  start().catch((error) => {
    form()
    problem(error)
  })
} else form()
