import { expect, test } from 'vitest';
import { capManagers } from '../../../src/api/apply/update-managers.ts';
import { identityOf } from '../../../src/api/apply/managed-fields.ts';
import type { Manager, Managers } from '../../../src/api/apply/managed-fields.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;

const manager = (name: string, second: number, fields: Partial<Manager> = {}): Manager => ({
  manager: name,
  operation: 'Update',
  apiVersion: 'v1',
  subresource: '',
  time: at(second),
  fields: { 'f:data': { [`f:${name}`]: {} } },
  ...fields,
});

const of = (managers: readonly Manager[]): Managers => new Map(managers.map((one) => [identityOf(one), one]));

/** So many updaters, u1 the oldest; written in the order of their names, which is not that of their times. */
const updaters = (count: number, fields: (second: number) => Partial<Manager> = () => ({})): readonly Manager[] =>
  Array.from({ length: count }, (_none, index) => manager(`u${index + 1}`, index + 1, fields(index + 1))).toSorted(
    (a, b) => (a.manager < b.manager ? -1 : 1),
  );

/** Each as `name version second: what it owns`. */
const told = (managers: Managers): readonly string[] =>
  [...managers.values()]
    .map(({ manager: name, apiVersion, time, fields }) => {
      const owned = Object.keys(fields['f:data'] ?? {}).map((element) => element.slice(2));
      return `${name} ${apiVersion} ${Number(time.slice(17, 19))}: ${owned.join(' ')}`;
    })
    .toSorted();

const untouched = (...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `u${number} v1 ${number}: u${number}`);

// Source: apimachinery pkg/util/managedfields/internal/capmanagers.go and capmanagers_test.go.
test('ten updaters stay as they are', () => {
  const managers = of(updaters(10));
  expect(capManagers(managers)).toBe(managers);
});

test('appliers do not count', () => {
  const managers = of([...updaters(10), manager('a', 0, { operation: 'Apply' })]);
  expect(capManagers(managers)).toBe(managers);
});

test('of eleven the two oldest become one, as old as the younger of them', () => {
  expect(told(capManagers(of(updaters(11))))).toEqual(
    ['ancient-changes v1 2: u1 u2', ...untouched(10, 11, 3, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('of thirteen the four oldest do', () => {
  expect(told(capManagers(of(updaters(13))))).toEqual(
    ['ancient-changes v1 4: u1 u2 u3 u4', ...untouched(10, 11, 12, 13, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('those of one version: who is alone in its version stays', () => {
  const [versions, fields] = [['v2', 'v1', 'v2', 'v1'], (at: number) => ({ apiVersion: versions[at - 1] ?? 'v1' })];
  expect(told(capManagers(of(updaters(12, fields))))).toEqual(
    ['ancient-changes v2 3: u1 u3', 'ancient-changes v1 4: u2 u4', ...untouched(10, 11, 12, 5, 6, 7, 8, 9)].toSorted(),
  );
  const alone = (second: number) => ({ apiVersion: second === 1 ? 'v0' : 'v1' });
  expect(told(capManagers(of(updaters(11, alone))))).toEqual(
    ['u1 v0 1: u1', 'ancient-changes v1 3: u2 u3', ...untouched(10, 11, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('of those that are equally old the first by identity', () => {
  const sameAge = of(updaters(11, () => ({ time: at(1) })));
  expect(told(capManagers(sameAge))[0]).toBe('ancient-changes v1 1: u1 u10');
});

test('what was merged before takes more', () => {
  const ancient = manager('ancient-changes', 1, { fields: { 'f:data': { 'f:x': {} } } });
  expect(told(capManagers(of([...updaters(11).filter(({ manager: name }) => name !== 'u1'), ancient])))).toEqual(
    ['ancient-changes v1 2: x u2', ...untouched(10, 11, 3, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});
