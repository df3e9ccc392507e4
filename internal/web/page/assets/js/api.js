// @ts-check
// Requests to the server. Every one has an end: an answer, or an ApiError.

export class ApiError extends Error {
  /** @param {number} status 0: no answer @param {string} code of the server, or garbled, late, no_answer @param {string} message @param {string} remedy @param {any} body @param {number} retry s */
  constructor(status, code, message, remedy, body, retry) {
    super(message);
    this.status = status;
    this.code = code;
    this.remedy = remedy;
    this.body = body;
    this.retry = retry;
  }
}

/** @type {(board: string, head: BoardHead) => void} */
let onHead = () => {};
/** @param {(board: string, head: BoardHead) => void} f called with the head of a board's journal that an answer names */
export function whenHead(f) {
  onHead = f;
}

/** @type {(retry: number) => void} */
let onUnpaired = () => {};
/** @param {(retry: number) => void} f called when the server does not know this device (any more); retry: seconds after which it may know it again; 0: it will not */
export function whenUnpaired(f) {
  onUnpaired = f;
}

/**
 * @param {string} method @param {string} path below /api/v1 @param {any} [body] @param {number} [patience] ms
 * @returns {Promise<any>}
 */
export async function api(method, path, body, patience = 8000) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const answer = await fetch('/api/v1' + path, {
      method,
      signal: stop.signal,
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'error',
      headers: body === undefined ? undefined : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    let data = null;
    try {
      data = text ? JSON.parse(text) : null;
    } catch {
      if (answer.ok) throw new ApiError(0, 'garbled', 'not the server', '', null, 0);
    }
    if (answer.ok && data && data.head) onHead(data.board || decodeURIComponent(path.split('/')[2] || ''), data.head);
    if (answer.ok) return data;
    const retry = Number(answer.headers.get('Retry-After')) || 0;
    if (answer.status === 401) onUnpaired(retry);
    const e = (data && data.error) || {};
    throw new ApiError(
      answer.status,
      e.code || 'http_' + answer.status,
      e.message || answer.statusText,
      e.remedy || '',
      data,
      retry,
    );
  } catch (e) {
    if (e instanceof ApiError) throw e;
    throw new ApiError(0, stop.signal.aborted ? 'late' : 'no_answer', String(e), '', null, 0);
  } finally {
    clearTimeout(timer);
  }
}

/** An id for a request. crypto.randomUUID does not exist on a page over plain HTTP. */
export function requestID() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 15) | 64;
  b[8] = (b[8] & 63) | 128;
  const hex = [...b].map((x) => x.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
