// What is drawn for a screen: its texts and questions, what was answered, and what is right in practice.
// It shares the names of rating.js.

const number = (value) => String(value).replace('-', '−')
const title = (name) => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ')
const compares = () => scheme.grouping === 'pair'

// What outputs are called.
function names(outputs) {
  if (scheme.grouping !== 'output') return [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, outputs)
  return [scheme.shows.includes('source') ? 'Simpler version' : 'Text']
}

// The instructions, and the wording of all steps.
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

// What is pressed to answer.
function keys() {
  let told = 'The number of a step answers the question that is marked. Type numbers of sliders.'
  if (scheme.grouping === 'pair') told = 'A, B or E (equal) answers the question that is marked.'
  if (scheme.criteria.some((one) => one.aside !== null)) told += ' X says that it can’t be judged.'
  const others =
    '↑ ↓ go to another question, Enter or → to the next screen, ← back. ' +
    'U takes the last answer back, M writes a comment, P pauses, ? shows this.'
  return h('p', {}, `Keys: ${told} ${others}`)
}

// The questions of a screen: one for each output and criterion, or criterion.
function inquire(outputs) {
  const found = []
  for (let output = 0; output < (compares() ? 1 : outputs); output++) {
    for (const criterion of scheme.criteria) {
      found.push({ output, ...criterion, options: options(criterion) })
    }
  }
  return found
}

// What can be answered: value, what a button says, and the key for it, with a hint if it says less.
function options({ steps, aside }) {
  if (compares()) {
    return ['A', 'equal', 'B'].map((one) => ({ value: one, label: one, key: one[0].toLowerCase() }))
  }
  const scale = steps.map(([step]) => step).filter((step) => step !== aside)
  const typed = scale.every((step) => Number.isInteger(step) && Math.abs(step) < 10)
  return steps.map(([value, wording]) => {
    if (value === aside) return { value, wording, label: '', key: 'x', hint: true }
    const key = String(typed ? value : scale.indexOf(value) + 1)
    return { value, wording, label: number(value), key, hint: !typed }
  })
}

// Draw boxes for texts, and what is asked about them, for as many outputs.
function build(outputs) {
  if (asked === outputs) return
  asked = outputs
  questions = inquire(outputs)
  const together = scheme.grouping !== 'source' // all questions, and not those of an output with it
  const texts = []
  if (scheme.shows.includes('source')) texts.push(drawText('source', 'Source'))
  if (scheme.shows.includes('references')) texts.push(drawText('references', 'References'))
  if (!together) texts.push(h('article', { class: 'legend' }, ...explain().slice(1)))
  const boxes = names(outputs).map((name) => drawText('output', name))
  $('.seen').replaceChildren(...texts, h('div', { class: 'outputs' }, ...boxes))
  const drawn = questions.map(drawQuestion)
  $('.questions').replaceChildren(...(together ? drawn : []))
  if (!together) drawn.forEach((one, i) => boxes[questions[i].output].append(one))
  $('.order').hidden = together
  page.style.setProperty('--asked', questions.length)
}

function drawText(kind, name) {
  const heading = h('h2', {}, name, h('span', { class: 'rank' }))
  return h('article', { class: kind }, heading, h('p', { class: 'text', tabindex: 0 }))
}

function drawQuestion(question, i) {
  const { name, slider, options } = question
  const told = h('span', {}, question.question)
  const heading = h('button', { type: 'button', class: 'ask', id: `q-${i}` })
  heading.append(h('b', {}, title(name)), ' ', told, h('output'))
  heading.addEventListener('click', () => point(i))
  const controls = slider ? drawSlider(question, i) : options.map((one) => drawOption(question, one))
  const box = h('div', { class: slider ? 'slider' : 'options' }, ...controls)
  const group = { class: 'question', role: 'group', 'aria-labelledby': `q-${i}` }
  const made = h('div', group, heading, box)
  made.style.setProperty('--steps', options.length)
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
  const entry = h('input', { type: 'number', step: 'any', inputmode: 'numeric', ...limits })
  const set = () => choose(question, Number(range.value))
  range.addEventListener('input', set)
  // A click on where it stands before it is set changes nothing, but is an answer.
  range.addEventListener('pointerup', () => value(question) === null && set())
  entry.addEventListener('input', () => {
    choose(question, typed(entry))
    if (entry.validity.rangeOverflow) entry.reportValidity() // the browser says what is expected
  })
  entry.addEventListener('blur', () => (entry.value = value(question) ?? ''))
  for (const one of [range, entry]) one.addEventListener('focus', () => point(i))
  const anchors = question.steps.map(([step, told]) => h('li', {}, h('b', {}, number(step)), ' ', told))
  return [range, entry, h('ul', {}, ...anchors)]
}

// The number in a box; null for none, or none on the scale.
const typed = ({ value, validity }) => (value !== '' && validity.valid ? Number(value) : null)

function drawAnswer(box, question, i) {
  const answer = value(question)
  const right = feedback[at]?.right[question.output]?.[question.name]
  box.classList.toggle('active', i === active)
  box.classList.toggle('right', right === true)
  box.classList.toggle('wrong', right === false)
  box.querySelector('output').textContent = answer === null ? '' : number(answer)
  for (const button of box.querySelectorAll('[data-value]')) {
    button.setAttribute('aria-pressed', button.dataset.value === String(answer))
  }
  if (!question.slider) return
  const [range, entry] = box.querySelectorAll('input')
  range.classList.toggle('unset', answer === null)
  range.setAttribute('aria-valuetext', answer === null ? 'not rated' : answer)
  range.value = answer ?? (Number(range.min) + Number(range.max)) / 2
  // What is being typed stays as it is, such as 07 or 8888.
  if (document.activeElement !== entry || typed(entry) !== answer) entry.value = answer ?? ''
}

// The order that ratings give, from the highest, for each criterion.
function drawOrder() {
  if (scheme.grouping !== 'source' || !asked) return
  const alone = scheme.criteria.length === 1
  for (const rank of all('.rank')) rank.textContent = ''
  const lines = scheme.criteria.map((criterion) => {
    const rated = rank(criterion)
    const text = rated.map(({ output, place }, i) => {
      if (alone) all('.output .rank')[output].textContent = ` · place ${place}`
      const sign = place === rated[i - 1]?.place ? ' = ' : ' > '
      return (i ? sign : '') + names(asked)[output]
    })
    return `${alone ? 'Order' : title(criterion.name)}: ${text.join('') || '–'}`
  })
  $('.order').textContent = lines.join(' · ')
}

// The outputs that are rated by a criterion, from the highest, each with its place.
function rank({ name, steps, aside }) {
  const texts = steps.map(([step]) => step)
  const height = (rating) => (typeof rating === 'number' ? rating : texts.indexOf(rating))
  const rated = questions
    .filter((one) => one.name === name && value(one) !== null && value(one) !== aside)
    .map((one) => ({ output: one.output, rating: height(value(one)) }))
    .sort((one, other) => other.rating - one.rating || one.output - other.output)
  const ahead = (rating) => rated.filter((other) => other.rating > rating).length
  return rated.map(({ output, rating }) => ({ output, place: ahead(rating) + 1 }))
}

// What is right, in practice.
function drawFeedback() {
  const box = $('.feedback')
  const { right, expected, why } = feedback[at] ?? {}
  box.hidden = !right
  if (!right) return
  const lines = right.flatMap((own, i) =>
    Object.entries(own).map(([name, ok]) => {
      const which = right.length > 1 ? `${names(asked)[i]}, ` : ''
      const known = [expected[i][name]].flat().map(number).join(' to ')
      const told = ok ? ' ✓ right' : ` ✗ expected ${known}`
      return h('li', {}, h('b', {}, which + title(name)), told)
    }),
  )
  box.replaceChildren(h('ul', {}, ...lines), h('p', {}, why))
}
