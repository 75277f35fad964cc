import { forEachInTurns } from './in-turns.ts';
import { requirementMatches } from './label-requirement.ts';
import type { Labels, Requirement } from './label-requirement.ts';

interface Wanted {
  /** Keys without which nothing matches. */
  readonly keys: Set<string>;
  readonly byKey: Map<string, Requirement[]>;
}

/** Do the labels meet all of the requirements? Of many requirements only those of keys that are there are looked at. */
export function matcherOf(requirements: readonly Requirement[]): (labels: Labels) => boolean {
  const { keys, byKey } = forEachInTurns(
    requirements,
    (): Wanted => ({ keys: new Set(), byKey: new Map() }),
    (wanted, requirement) => {
      const { key, operator } = requirement;
      if (operator !== '!=' && operator !== 'notin' && operator !== '!') wanted.keys.add(key);
      const others = wanted.byKey.get(key);
      if (others) others.push(requirement);
      else wanted.byKey.set(key, [requirement]);
    },
  );
  return (labels) => {
    for (const key of keys) if (!Object.hasOwn(labels, key) || labels[key] === undefined) return false;
    return Object.keys(labels).every((name) => meetsAll(byKey.get(name), labels));
  };
}

const meetsAll = (requirements: readonly Requirement[] | undefined, labels: Labels): boolean =>
  requirements === undefined || requirements.every((requirement) => requirementMatches(requirement, labels));
