// Object literals that begin with a spread, as V8 of Node 20 makes them fast (docs/decisions/0011-spreads.md).
import { parseAst } from 'rolldown/parseAst';

/**
 * Code in which `{ ...a, b }` reads `{ ...null, ...a, b }`, which is the same object. V8 makes a shape for the one object
 * that a literal with a spread at its beginning comes to, and another for each field that it has not had before; objects
 * whose literal begins with nothing share their shapes.
 */
export function spreadQuickly(code) {
  const places = /\{\s*\.\.\./.test(code) ? spreadsFirst(parseAst(code)).toSorted((a, b) => a - b) : [];
  const pieces = places.map((place, index) => code.slice(places[index - 1] ?? 0, place));
  return [...pieces, code.slice(places.at(-1) ?? 0)].join('...null, ');
}

/** Where literals begin that spread something and then have more; a copy alone is fast. */
function spreadsFirst(tree) {
  const places = [];
  const pending = [tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (
      node.type === 'ObjectExpression' &&
      node.properties[0]?.type === 'SpreadElement' &&
      node.properties.length > 1
    ) {
      places.push(node.properties[0].start);
    }
    for (const key in node) pushNodes(node[key], pending);
  }
  return places;
}

function pushNodes(value, pending) {
  if (Array.isArray(value)) for (const item of value) pushNodes(item, pending);
  else if (typeof value?.type === 'string') pending.push(value);
}
