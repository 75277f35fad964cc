/**
 * The circles of a graph: two nodes have the same number if each can be reached from the other (strongly connected components). Every
 * edge is followed twice, whatever their number: first for the order in which nodes are done, then backwards in that order.
 */
export function circlesAmong(edges: readonly (readonly [from: string, to: string])[]): ReadonlyMap<string, number> {
  const [forwards, backwards] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [from, to] of edges) {
    neighboursOf(forwards, from).push(to);
    neighboursOf(backwards, to).push(from);
    neighboursOf(forwards, to);
  }
  const done = new Set<string>();
  for (const node of forwards.keys()) visit(node, forwards, done);
  const circles = new Map<string, number>();
  const seen = new Set<string>();
  for (const node of [...done].toReversed()) {
    const number = circles.size;
    for (const one of visit(node, backwards, seen)) circles.set(one, number);
  }
  return circles;
}

function neighboursOf(graph: Map<string, string[]>, node: string): string[] {
  const known = graph.get(node) ?? [];
  graph.set(node, known);
  return known;
}

/** Walks in depth from a node over what is not done yet; adds each to `done` when all behind it is, and returns what was added. */
function visit(start: string, graph: ReadonlyMap<string, readonly string[]>, done: Set<string>): readonly string[] {
  if (done.has(start)) return [];
  const added: string[] = [];
  const entered = new Set([start]);
  const path = [{ node: start, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = graph.get(top.node)?.[top.next];
    top.next += 1;
    if (next === undefined) {
      done.add(top.node);
      added.push(top.node);
      path.pop();
    } else if (!done.has(next) && !entered.has(next)) {
      entered.add(next);
      path.push({ node: next, next: 0 });
    }
  }
  return added;
}
