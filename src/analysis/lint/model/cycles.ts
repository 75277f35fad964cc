/** Strongly connected components: nodes with the same number can reach each other. Kosaraju's algorithm. */
export function stronglyConnected(
  edges: readonly (readonly [from: string, to: string])[],
): ReadonlyMap<string, number> {
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

/** Depth-first search; returns the added nodes in postorder. */
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
