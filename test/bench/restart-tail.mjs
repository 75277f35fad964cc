const typeOf = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' };

/**
 * What the watch of a killed server had no time to tell, in order: acknowledged writes after its last event, and open ones that
 * the next life shows. `state` is what must be there then.
 */
export function tailOf(life, after) {
  const story = storyOf(life);
  for (const { key, act, revision, value } of unseen(life, story.last)) story.add(key, act, revision, value);
  for (const { name, act, value } of life.open) {
    if (happened(act, value, story.state.get(name), after.get(name)))
      story.add(name, act, after.get(name)?.revision, value);
  }
  return { tail: story.tail.toSorted((a, b) => a.revision - b.revision), state: story.state };
}

/** What the watch told, and what is added to it. */
function storyOf({ before, revision, events }) {
  const state = new Map(before);
  const tail = [];
  for (const { key, type, ...seen } of events) {
    if (type === 'DELETED') state.delete(key);
    else state.set(key, seen);
  }
  const last = events.at(-1)?.revision ?? revision;
  return {
    last,
    state,
    tail,
    add: (key, act, at, value) => {
      const now = state.get(key);
      // A removal is told without its revision: it comes after whatever was removed.
      const after = Math.max(last, now?.revision ?? 0) + 0.5 + tail.length / 10_000;
      tail.push({ key, type: typeOf[act], revision: at ?? after, value: value ?? now?.value });
      if (act === 'delete') state.delete(key);
      else state.set(key, { revision: at, value });
    },
  };
}

/** Acknowledged writes after the last event; of removals those that are more than were seen. */
function unseen({ acts, events }, last) {
  const removals = new Map();
  for (const { key, type } of events) if (type === 'DELETED') removals.set(key, (removals.get(key) ?? 0) + 1);
  return acts.filter(({ act, key, revision }) => {
    if (act === 'read') return false;
    if (act !== 'delete') return revision > last;
    const seen = removals.get(key) ?? 0;
    removals.set(key, seen - 1);
    return seen <= 0;
  });
}

/** Does what is there show that an unanswered write was done? */
function happened(act, value, then, now) {
  if (act === 'delete') return then !== undefined && now === undefined;
  return act !== 'read' && now?.value === value && then?.value !== value;
}
