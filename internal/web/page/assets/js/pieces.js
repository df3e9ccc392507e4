// @ts-check
// Six outlines of chess pieces in a box of 100 by 100, drawn for this program. The first path of a piece is the outline,
// the second the lines inside.

/** @type {Record<string, [string, string]>} */
export const outlines = {
  p: [
    'M50 17c-8.3 0-15 6.7-15 15 0 4.6 2 8.7 5.3 11.4-2.9 1.3-6.8 3.1-6.8 6.6 0 2 1.5 3.5 3.5 3.500h4.5' +
      'c-.5 9-4 16-13 22-3.5 2.3-5 5.5-5 9.5 0 2.5 1.5 4 4 4h45c2.5 0 4-1.5 4-4 0-4-1.5-7.2-5-9.5-9-6-12.5-13-13-22' +
      'h4.500c2 0 3.5-1.5 3.5-3.5 0-3.5-3.9-5.3-6.8-6.6 3.3-2.7 5.3-6.8 5.3-11.4 0-8.3-6.7-15-15-15z',
    'M41.5 53.500h17M27 77.500h46',
  ],
  r: [
    'M24 14h12v8h8.500v-8h11v8h8.500v-8h12v19l-8 8 2 28 7 5c1.8 1.3 3.5 3 3.5 5v6c0 2.5-1.5 4-4 4h-53c-2.5 0-4-1.5-4-4v-6' +
      'c0-2 1.7-3.7 3.5-5l7-5 2-28-8-8z',
    'M32 41h36M30 69h40',
  ],
  n: [
    'M45 8c-1.8 4-2.8 7.5-3.2 11-5.3 1.5-9.3 5-11.8 10-2.4 4.8-5.5 9.3-9.5 13.5-3.7 4-7 8.5-7 13.5 0 5.3 3.2 9 7.5 9' +
      ' 2.6 0 4.7-1.2 6.7-3.3 1.3 1 3.2.9 4.8-.2 2.6-1.9 4.5-4.3 8-5.3 3.3-.9 6.3-1.9 8.5-3.7.3 6.5-3 11.5-9 16.5' +
      '-4 3.3-7 6.5-9.5 10-3.5.5-6 2.5-6 6 0 2.5 1.5 4 4 4h50c2.5 0 4-1.5 4-4 0-2.5-1-4.5-3-5.5 1-7 .5-14-1-22.5' +
      '-3.5-19.5-11-31.5-25.5-38.5-2-3.5-4.5-7-8-10.500z',
    'M30.5 79h47M57 27c8 6.5 12.5 18 13 34',
  ],
  b: [
    'M50 6.500c-3.5 0-6 2.6-6 6 0 2.3 1.1 4.2 2.9 5.2-9 6.3-18.4 17.3-18.4 31.3 0 7 3.5 12 8 15-3 .6-5 2-5 4.5' +
      ' 0 2 1.5 3.5 3.5 3.500h4c-2 3.5-6 5.5-11 7-4.5 1.3-7 3.2-7 6.5 0 2.5 1.5 3.5 3.5 3.500h51c2 0 3.5-1 3.5-3.5' +
      ' 0-3.3-2.5-5.2-7-6.5-5-1.5-9-3.5-11-7h4c2 0 3.5-1.5 3.5-3.5 0-2.5-2-3.9-5-4.5 4.5-3 8-8 8-15 0-14-9.4-25-18.4-31.3' +
      ' 1.8-1 2.9-2.9 2.9-5.2 0-3.4-2.5-6-6-6z',
    'M36.5 64h27M39 72h22M58 30 47 43',
  ],
  q: [
    'M26.5 66 14.8 33.700a5.5 5.5 0 1 1 4.9-2.700L30.5 48l2-24.600a5.5 5.5 0 1 1 5.7-1.400L43.5 46l4.7-24.800a5.7 5.7 0 1 1 3.6 0' +
      'L56.5 46l5.3-24a5.5 5.5 0 1 1 5.7 1.400l2 24.6 10.8-17a5.5 5.5 0 1 1 4.9 2.700L73.5 66c-1 3-1 5 1.5 8s4 5.5 4 9' +
      'c0 4-1.5 6-5 6H26c-3.5 0-5-2-5-6 0-3.5 1.5-6 4-9s2.5-5 1.5-8z',
    'M26.5 66c15-3.5 32-3.5 47 0M24.5 76c16-3.5 35-3.5 51 0',
  ],
  k: [
    'M46.5 5h7v5.500h6v6.500h-6v8.300c3.1 1.5 5.2 5.2 5.2 9.7 0 2.5-.6 4.8-1.4 6.8 3.6-3.9 8.2-6.3 13.7-6.3 8.5 0 14.5 6 14.5 14' +
      ' 0 7.5-6 12-12 17.5-1 3-1 4.5 1.5 7.500s4 5 4 8.500c0 4-1.5 6-5 6H26c-3.5 0-5-2-5-6 0-3.5 1.5-5.5 4-8.500s2.5-4.5 1.5-7.5' +
      'c-6-5.5-12-10-12-17.5 0-8 6-14 14.5-14 5.5 0 10.1 2.4 13.7 6.3-.8-2-1.4-4.3-1.4-6.8 0-4.5 2.1-8.2 5.2-9.700V17h-6v-6.500h6z',
    'M26.5 67c15-3.5 32-3.5 47 0M24.5 76.500c16-3.5 35-3.5 51 0M50 40v23',
  ],
};

/** The knight's eye, a disc. */
export const eye = { cx: 38, cy: 31, r: 3.2 };

const svgNS = 'http://www.w3.org/2000/svg';

/** Puts the outlines into the document once; diagrams refer to them by <use>. */
export function installPieces() {
  if (document.getElementById('pc-p')) return;
  const svg = document.createElementNS(svgNS, 'svg');
  svg.setAttribute('class', 'sprite');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  for (const [name, [outline, lines]] of Object.entries(outlines)) {
    const symbol = document.createElementNS(svgNS, 'symbol');
    symbol.id = 'pc-' + name;
    symbol.setAttribute('viewBox', '0 0 100 100');
    symbol.append(path(outline, 'pc-body'), path(lines, 'pc-lines'));
    if (name === 'n') {
      const disc = document.createElementNS(svgNS, 'circle');
      for (const [k, v] of Object.entries(eye)) disc.setAttribute(k, String(v));
      disc.setAttribute('class', 'pc-eye');
      symbol.append(disc);
    }
    svg.append(symbol);
  }
  document.body.append(svg);
}

/** @param {string} d @param {string} cls */
function path(d, cls) {
  const p = document.createElementNS(svgNS, 'path');
  p.setAttribute('d', d);
  p.setAttribute('class', cls);
  return p;
}
