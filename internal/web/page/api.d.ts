// The objects of the HTTP API (docs/api.md) as the page's JavaScript gets them: types for the checker, nothing that runs, and no
// part of the program. The Go types are live.Summary, live.State, live.Item (internal/live/types.go), alert.Alert
// (internal/alert/alert.go), those of a finding and a ruling in internal/watch/say.go, and a session's in internal/web/session.go.

type Side = 'white' | 'black';
type Sides = Record<Side, number>;

interface Summary {
  board: string;
  /** a row with nothing but what the board is called */
  part?: boolean;
  /** its table, if one is known: its name for people */
  table?: string;
  /** its own name, if board has its computer's name too and no other board has this name any more */
  name?: string;
  watching: boolean;
  gone?: boolean;
  health: 'ok' | 'warn' | 'bad';
  health_what: string;
  health_detail: string;
  health_say?: Sentence;
  health_do?: Sentence;
  link: 'up' | 'down' | 'silent' | 'wrong_board' | 'unknown';
  journal: 'ok' | 'degraded';
  game: number;
  round: string | null;
  playing: boolean;
  paused: boolean;
  stood_ms: number;
  appendix_d?: boolean;
  assistant?: boolean;
  no_touch?: boolean;
  result: string | null;
  signed: boolean;
  ply: number;
  turn: Side | null;
  last: string | null;
  last_uci: string | null;
  fen: string | null;
  placement: string | null;
  reversed: boolean;
  chess960: boolean;
  clock: (Sides & { running: Side | null; age: number }) | null;
  clock_sides?: { left: number; right: number } | null;
  names: Record<Side, string> | null;
  profile: string | null;
  strikes: Sides;
  strikes_to_lose: number;
  finish: Finish | null;
  open: number;
  scan: Scan | null;
  t: number;
  wall_ms: number;
  rate: number;
  /** Not from the server: performance.now() when it came (store.js). */
  received: number;
}

interface Finish {
  since: number;
  result: string | null;
  by: string | null;
}

interface Scan {
  period_ms: number;
  order: string;
  fit: number;
  moves: number;
  hands: string;
  held: string;
}

interface Alert {
  id: string;
  ref: string;
  board: string;
  finding: string;
  kind: string;
  level: 'now' | 'advise';
  state: 'open' | 'seen' | 'decided' | 'closed';
  reason: string;
  step: number;
  raised_ms: number;
  over: boolean;
  seen_by: string | null;
  version: number;
  text: string;
  channels: { channel: string; state: string; at_ms: number; error: string }[];
}

/** A text, or a key with its arguments. */
type Sentence = string | [string, ...Sentence[]];

interface Finding {
  id: string;
  seq: number;
  t: number;
  board: string;
  game: number;
  kind: string;
  side: Side | null;
  ply: number;
  state: 'suspected' | 'confirmed' | 'withdrawn' | 'expired';
  proof: string;
  confidence: number;
  articles: string[];
  edition: string;
  reason: string;
  say?: Sentence;
  uci: string | null;
  squares: string[];
  fen_before: string | null;
  fen_at: string | null;
  window: { lo: number; hi: number };
  alert: string;
  evidence: number[];
  decided?: string | null;
  timeline?: Span[];
  in_air?: string;
  /** of a report of two hands: the evidence of the timing for and against */
  timing?: string;
  timing_say?: Sentence;
}

/** The time when one square changed. */
interface Span {
  square: string;
  piece: string;
  lift: boolean;
  seen: boolean;
  lo: number;
  hi: number;
}

interface Ruling {
  seq: number;
  finding: string;
  profile: string;
  kind: string;
  position: string | null;
  position_fen: string | null;
  must_play: string[];
  bonus: Partial<Sides>;
  take_back_increment: Partial<Sides>;
  clocks_to_set: Sides | null;
  run_clock: Side | null;
  strikes_after: Sides;
  result: string | null;
  deadline: string | null;
  deadline_say?: Sentence;
  text: string;
  say?: Sentence;
  until: string | null;
  until_side: Side | null;
  strikes_before: Sides;
  strikes_to_lose: number;
  advice: string | null;
  mate: Mate | null;
}

interface Mate {
  side: Side;
  verdict: 'possible' | 'never' | 'unknown';
  reason: string;
  line: string[];
  fen: string;
  text: string;
  say?: Sentence;
}

interface Decision {
  seq: number;
  t: number;
  board: string;
  finding: string;
  decision: string;
  by: string;
  note: string;
  request: string;
  wall_ms: number;
}

/** A decision that is on the hall's disk and in no journal yet. */
interface Waiting {
  finding: string;
  decision: string;
  by: string;
  request: string;
  wall_ms: number;
  asked: boolean;
  failed: string;
}

interface Moment {
  t: number;
  lo: number;
  what: string;
  square: string;
  was: string;
  is: string;
  side: Side | '';
  judged: string;
  dump?: boolean;
  seq: number;
}

interface Item {
  finding: Finding;
  ruling: Ruling | null;
  decisions: Decision[];
  alert: Alert | null;
  timeline: Moment[];
  timeline_complete?: boolean;
  clock_at: Sides | null;
  wall_ms?: number;
}

interface Move {
  seq: number;
  t: number;
  ply: number;
  side: Side;
  uci: string | null; // null: an illegal move that stands, and is not the move of one piece
  san: string | null;
  clock: Sides | null;
  illegal?: boolean; // the opponent has answered it, and the game goes on from fen_after
  finding?: string;
  fen_after?: string;
  corrects?: boolean; // reported again: this ply is replaced, the later ones stay
}

/** A span of unknown plies, with the moves that a person has filled in. */
interface UnknownPlies {
  game: number;
  ply_from: number;
  ply_to: number | null;
  /** Empty, like fen, if the game has ended with these plies and the position after them is unknown. */
  side_to_move: Side | '';
  fen_before: string;
  fen: string;
  rows: string[][];
  moves: { uci: string; san: string }[];
  /** log: the board's own log has filled them in; absent: a person. */
  by?: string;
}

interface Health {
  seq: number;
  t: number;
  what: string;
  detail: string;
  say?: Sentence;
}

interface State {
  epoch: string;
  last: string;
  board: Summary;
  journal: string;
  moves: Move[];
  findings: Item[];
  health: Health[];
  spans: UnknownPlies[];
  /** Decisions for a board that cannot be reached. */
  waiting: Waiting[];
  /** Of the feed: the event that began the game. */
  game?: unknown;
}

interface Notice {
  id: string;
  text: string;
  remedy: string;
  say?: Sentence;
  do_say?: Sentence;
  level?: 'note';
}

interface Device {
  id: string;
  name: string;
  role: 'arbiter' | 'viewer';
  boards: string[];
}

/** A device in the list of all. */
interface Paired extends Device {
  paired_ms: number;
  seen_ms: number;
  push: boolean;
  own: boolean;
}

interface Session {
  device: Device;
  event: string;
  round: string;
  version: string;
  epoch: string;
  languages: string[];
  secure: { url: string; ca: string } | null;
  push: { key: string } | null;
  now_ms: number;
  hall?: boolean;
  /** boards: 1-120, 301-310 */
  sections: { name: string; boards: string }[];
}

/** The head of a board's journal, in /heads and in the feed's event of that name. */
interface BoardHead {
  board: string;
  journal: string;
  seq: number;
  chain: string;
}

/** An ApiError of api.js, which a failed request throws. */
interface Refused extends Error {
  status: number;
  code: string;
  remedy: string;
  body: any;
  retry: number;
}

/** The name of an icon of dom.js. */
type Glyph = Parameters<typeof import('./assets/js/dom.js').icon>[0];

/** A recording for the replay: package playback. Times are milliseconds of the journal's time line. */
interface Recording {
  board: string;
  journal: string;
  event: string;
  round: string;
  core: string;
  wall: [number, number][];
  games: Played[];
  seq: number;
  damage: string[];
  what_if: WhatIf | null;
}

/** A game of a recording in the chooser's list. */
interface Played {
  game: number;
  white: string;
  black: string;
  result: string;
  plies: number;
}

interface ReplayGame extends Played {
  by: string;
  profile: string;
  from: number;
  to: number;
  placement: string;
  fen: string;
  /** record, time, width of its window, square, was, is, found by a dump */
  touches: [number, number, number, string, string, string, number?][];
  /** record, time, width of its window, side, judged as */
  presses: [number, number, number, Side | '', string][];
  positions: [number, number, string][];
  /** record, time, White, Black, side whose time runs: each as the difference to the one before */
  clock: number[];
  away: [number, number][];
  moves: Move[];
  results: { seq: number; t: number; result: string; by: string; state: string }[];
  notes: (Health & { type: string; ply?: number })[];
  findings: Found[];
}

interface Found {
  t: number;
  finding: Finding;
  ruling: Ruling | null;
  /** The last ruling that came too late, or after the decision. */
  after: Ruling | null;
  /** The strongest level of alert that it had. */
  alert: string;
  states: [number, number, Finding['state']][];
  decisions: { seq: number; t: number; decision: string; by: string; note: string; wall_ms: number }[];
}

interface WhatIf {
  profile: string;
  differences: Difference[];
}

interface Difference {
  game: number;
  t: number;
  ply: number;
  kind: string;
  was: Sight | null;
  now: Sight | null;
}

interface Sight {
  finding: Finding | null;
  ruling: Ruling | null;
  result: string;
  by: string;
}
