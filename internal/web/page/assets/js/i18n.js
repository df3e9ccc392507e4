// @ts-check
// Texts, times and the names of things, in the page's language.

/** The languages of the texts, by their own names. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', hi: 'हिन्दी', ru: 'Русский' };

/** @type {Record<string, string>} */
let texts = {};
export let lang = 'en';

/** @returns {string} what the person chose, or what the phone speaks */
export function preferred() {
  const chosen = localStorage.getItem('bw.lang');
  for (const l of [chosen, ...navigator.languages]) {
    const code = (l || '').toLowerCase().split('-')[0];
    if (code in languages) return code;
  }
  return 'en';
}

/** @type {Map<string, Promise<void>>} the groups of texts that are here, or on their way */
let groups = new Map();

/** @param {string} path @returns {Promise<Record<string, string>>} */
async function fetchTexts(path) {
  const answer = await fetch('/texts/' + path + '.json');
  if (!answer.ok) throw new Error('texts: ' + answer.status);
  return answer.json();
}

/** The texts of the list of boards, and those of the groups that are here in another language. @param {string} code */
export async function loadTexts(code) {
  const kept = groups;
  const all = await Promise.all([code, ...[...kept.keys()].map((g) => g + '/' + code)].map(fetchTexts));
  setTexts(code, Object.assign({}, ...all));
  groups = new Map([...kept.keys()].map((g) => [g, Promise.resolve()]));
}

/** @param {string} code @param {Record<string, string>} all */
export function setTexts(code, all) {
  texts = all;
  groups = new Map();
  lang = code;
  document.documentElement.lang = code;
}

/** Loads the texts of some screens; rest: what all screens but the list need. @param {string} group */
export async function moreTexts(group) {
  const mine = groups;
  const begun =
    mine.get(group) ||
    fetchTexts(group + '/' + lang).then((more) => {
      if (mine === groups) Object.assign(texts, more);
    });
  mine.set(group, begun);
  await begun.catch((e) => {
    mine.delete(group);
    throw e;
  });
}

/** @type {Set<string>} groups of texts that were asked for, with the language */
const asked = new Set();

/** Fetches the texts that sentences need and that are not here yet. @param {{say: any, english: string}[]} sentences @param {() => void} done called when some have come */
export function textsOf(sentences, done) {
  const needed = sentences.filter((s) => Array.isArray(s.say) && (lang !== 'en' || !s.english) && !known(s.say));
  if (!needed.length) return;
  for (const [, key] of JSON.stringify(needed.map((s) => s.say)).matchAll(/"([a-z_]+\.[\w.]+)"/g)) {
    const group = /^(notice|hall)\./.exec(key)?.[1] || 'rest';
    const which = lang + group;
    if (has(key) || asked.has(which)) continue;
    asked.add(which);
    moreTexts(group).then(done, () => asked.delete(which)); // without connection the texts are English, or missing
  }
}

/** @param {string} key @param {...(string|number)} args for {0}, {1} … */
export function t(key, ...args) {
  const text = texts[key];
  if (text === undefined) return key;
  return args.length ? text.replace(/\{(\d)\}/g, (all, n) => (args[n] === undefined ? all : String(args[n]))) : text;
}

/** Matches an argument that consists of moves only: "Nxe5, dxe5", "1...Kb7 2.Kf8". */
const moves = /^((\d+\.+)?([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?(, | |$))+$/;

/**
* A sentence from the server as data: a text, or a key with its arguments, which are sentences too. {0:of} is
* another form of the argument, {0^} begins a sentence. @param {Sentence} s @returns {string}
 */
export function say(s) {
  if (typeof s === 'string') return moves.test(s) ? sanText(s) : s;
  const [key, ...args] = /** @type {[string, ...Sentence[]]} */ (s);
  if (/^[,; ]+$/.test(key)) return args.map(say).join(key);
  return t(key).replace(/\{(\d)(?::([a-z]+))?(\^)?\}/g, (all, n, form, first) => {
    const arg = args[n];
    if (arg === undefined) return all;
    const other = form && typeof arg !== 'string' ? arg[0] + '.' + form : '';
    const text = other && has(other) ? t(other) : say(arg);
    return first ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  });
}

/** Whether there are texts for a whole sentence. @param {any} s @returns {boolean} */
const known = (s) => typeof s === 'string' || ((/^[,; ]+$/.test(s[0]) || has(s[0])) && s.slice(1).every(known));

/** Says a sentence in the page's language, or in English where there is no text for it. @param {any} s @param {string} english "": the server has not said it */
export const saying = (s, english) =>
  Array.isArray(s) && (lang !== 'en' || !english) && known(s) ? { lang, text: say(/** @type {Sentence} */ (s)) } : { lang: 'en', text: english };

/** @param {string} key */
export const has = (key) => key in texts;

/** @param {string|null|undefined} side */
export const sideName = (side) => (side === 'white' || side === 'black' ? t('side.' + side) : t('side.player'));

/** The name of that kind of finding. @param {string} kind */
export const kindName = (kind) => (has(kind) ? t(kind) : kind);

/** @param {string} word a word of a closed vocabulary, such as link_down @param {string} group */
export const word = (group, word) => (has(group + '.' + word) ? t(group + '.' + word) : word.replaceAll('_', ' '));

/** The reason of a refusal by the server. @param {{code: string, message: string, remedy: string, body?: any}} e */
export function answerText(e) {
  if (!has('answer.' + e.code)) return [e.message, e.remedy].filter(Boolean).join(' ');
  const { args = [], cause } = (e.body && e.body.error) || {};
  return t('answer.' + e.code, ...args.map(sanText)) + (has('cause.' + cause) ? ' ' + t('cause.' + cause) : '');
}

/** Seconds as a clock shows them: 1:30:05, 4:07. @param {number} sec */
export function clockTime(sec) {
  const n = Math.max(0, Math.floor(sec));
  const two = (/** @type {number} */ x) => (x < 10 ? '0' + x : '' + x);
  const m = Math.floor(n / 60) % 60;
  return n >= 3600 ? Math.floor(n / 3600) + ':' + two(m) + ':' + two(n % 60) : m + ':' + two(n % 60);
}

/** A change of a time: +2:00, −0:30. @param {number} sec */
export const changeTime = (sec) => (sec < 0 ? '−' : '+') + clockTime(Math.abs(sec));

/** Seconds with a sign and a real minus, −1.35. @param {number} sec @param {number} digits */
export function signed(sec, digits) {
  const s = Math.abs(sec).toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (sec < -0.004 ? '−' : sec > 0.004 ? '+' : '') + s;
}

/** The time of day, 14:03 or 14:03:22. @param {number} ms @param {boolean} [seconds] */
export function dayTime(ms, seconds) {
  return new Date(ms).toLocaleTimeString(lang, {
    hour: '2-digit',
    minute: '2-digit',
    second: seconds ? '2-digit' : undefined,
    hour12: false,
  });
}

/** How long ago, short: 0:14, 12 min. @param {number} sec */
export const since = (sec) => (sec < 600 ? clockTime(sec) : t('time.minutes', Math.floor(sec / 60)));

/** How long ago, beside times of day: 19 s ago, 12 min ago. @param {number} sec */
export const ago = (sec) => t('clocks.ago', sec < 120 ? t('time.seconds', Math.floor(sec)) : t('time.minutes', Math.floor(sec / 60)));

/** SAN with the letters of the language. @param {string} san */
export function sanText(san) {
  if (!has('san.letters')) return san;
  const own = t('san.letters').split(' ');
  return san.replace(/[KQRBN]/g, (c) => own['KQRBN'.indexOf(c)] || c);
}

/** Standard SAN from SAN with the letters of the language, the reverse of sanText. @param {string} text */
export function sanTyped(text) {
  const own = t('san.letters').split(' ');
  const longest = [...own].sort((a, b) => b.length - a.length).join('|');
  return text.replace(new RegExp(longest, 'g'), (c) => 'KQRBN'[own.indexOf(c)]);
}

/** "12. Nf3", "12… Nf6". @param {number} ply @param {string} san */
export const moveText = (ply, san) => (ply > 0 ? Math.ceil(ply / 2) + (ply % 2 ? '. ' : '… ') : '') + sanText(san);

/** "white knight". @param {string} letter of a FEN */
export function pieceName(letter) {
  return t('piece.' + (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toLowerCase());
}

/** @param {string} result 1-0, 0-1, 1/2-1/2, ? */
export const resultText = (result) => (result === '1/2-1/2' ? '½–½' : result.replace('-', '–'));

/** The name of a board for people: its table, if one is known. @type {(board: string) => string} */
let called = (board) => board;
/** @param {(board: string) => string} f */
export function whenCalled(f) {
  called = f;
}
/** @param {string} board */
export const boardName = (board) => called(board);
/** @param {string} board */
export const boardTitle = (board) => t('board.title', called(board));

/** Compares boards in natural order. @param {string} a @param {string} b */
export const byName = new Intl.Collator(undefined, { numeric: true }).compare;
