const eventTypes = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' };

/**
 * The events that the watch of a killed server did not deliver, in order: acknowledged writes after its last event, and open ones that
 * the next life shows. `state` is the expected state after them.
 */
export function tailOf(life, after) {
  const replay = replayEvents(life);
  for (const { key, act, revision, value } of undelivered(life, replay.last)) replay.add(key, act, revision, value);
  for (const { name, act, value } of life.open) {
    if (happened(act, value, replay.state.get(name), after.get(name)))
      replay.add(name, act, after.get(name)?.revision, value);
  }
  return { tail: replay.tail.toSorted((a, b) => a.revision - b.revision), state: replay.state };
}

/** The state after the events of the watch, and the events that are added. */
function replayEvents({ before, revision, events }) {
  const state = new Map(before);
  const tail = [];
  for (const { key, type, ...stored } of events) {
    if (type === 'DELETED') state.delete(key);
    else state.set(key, stored);
  }
  const last = events.at(-1)?.revision ?? revision;
  return {
    last,
    state,
    tail,
    add: (key, act, at, value) => {
      const now = state.get(key);
      // The response to a delete has no revision: it follows the revision of the deleted object.
      const after = Math.max(last, now?.revision ?? 0) + 0.5 + tail.length / 10_000;
      tail.push({ key, type: eventTypes[act], revision: at ?? after, value: value ?? now?.value });
      if (act === 'delete') state.delete(key);
      else state.set(key, { revision: at, value });
    },
  };
}

/** Acknowledged writes after the last event; of deletions those that exceed the observed ones. */
function undelivered({ acts, events }, last) {
  const deletions = new Map();
  for (const { key, type } of events) if (type === 'DELETED') deletions.set(key, (deletions.get(key) ?? 0) + 1);
  return acts.filter(({ act, key, revision }) => {
    if (act === 'read') return false;
    if (act !== 'delete') return revision > last;
    const observed = deletions.get(key) ?? 0;
    deletions.set(key, observed - 1);
    return observed <= 0;
  });
}

/** Whether the state shows that a write without a response was done. */
function happened(act, value, before, now) {
  if (act === 'delete') return before !== undefined && now === undefined;
  return act !== 'read' && now?.value === value && before?.value !== value;
}
