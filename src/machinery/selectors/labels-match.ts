import { requirementMatches } from './label-requirement.ts';
import type { Labels, Requirement } from './label-requirement.ts';

/** Do the labels meet all of the requirements? Of many requirements only those of keys that are there are looked at. */
export function matcherOf(requirements: readonly Requirement[]): (labels: Labels) => boolean {
  const keys = new Set<string>();
  const byKey = new Map<string, Requirement[]>();
  for (const requirement of requirements) {
    const { key, operator } = requirement;
    if (operator !== '!=' && operator !== 'notin' && operator !== '!') keys.add(key);
    const others = byKey.get(key);
    if (others) others.push(requirement);
    else byKey.set(key, [requirement]);
  }
  return (labels) => {
    for (const key of keys) if (!Object.hasOwn(labels, key) || labels[key] === undefined) return false;
    return Object.keys(labels).every((name) => meetsAll(byKey.get(name), labels));
  };
}

const meetsAll = (requirements: readonly Requirement[] | undefined, labels: Labels): boolean =>
  requirements === undefined || requirements.every((requirement) => requirementMatches(requirement, labels));
