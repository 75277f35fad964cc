import { expect, test } from 'vitest';
import { adminUser } from '../harness/world.ts';
import { things, worldOfAnything } from './established.ts';

// Every change of metadata copies the object around it. One with tens of thousands of fields is copied in turns.

const fields = 2_100;
const wide = (text: string): object =>
  Object.fromEntries(Array.from({ length: fields }, (_none, at) => [`f${at}`, text]));

const merge = 'application/merge-patch+json';
const requests = [
  ['POST', things, { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name: 'w' }, ...wide('a') }],
  ['PATCH', `${things}/w`, wide('b'), merge],
  ['PATCH', `${things}/w`, { metadata: { labels: { a: 'b' } } }, merge],
  ['DELETE', `${things}/w`],
  ['POST', things, { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name: 'm', annotations: wide('a') } }],
  ['PATCH', `${things}/m`, { metadata: { annotations: { ...wide('a'), f1: 'b' } } }, merge],
] as const;

/** What is answered, and how often others are let in when it is often time to. */
async function played(isLate: boolean) {
  const world = await worldOfAnything();
  const answers = [];
  for (const [method, path, body, contentType] of requests) {
    let [now, pauses] = [0, 0];
    const pause = Object.assign((): undefined => void (pauses += 1), { now: () => (now += 0.5) });
    const more = { as: adminUser, ...(contentType && { contentType }), ...(isLate && { pause }) };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { code, body: answer } = await world.send(method, path, body, more);
    answers.push({ code, answer, turns: pauses });
  }
  return answers;
}

test('a wide object is written, changed and deleted in turns as it is at once', async () => {
  const [inTurns, atOnce] = [await played(true), await played(false)];
  expect(inTurns.map(({ code }) => code)).toEqual([201, 200, 200, 200, 201, 200]);
  expect(inTurns.map(({ answer }) => answer)).toEqual(atOnce.map(({ answer }) => answer));
  // A copy more or less that is made at once is hundreds of turns; a DELETE makes none in turns.
  const least = [4_300, 7_400, 7_000, 0, 1_400, 5_600];
  expect(inTurns.map(({ turns }, at) => turns >= (least[at] ?? 0))).toEqual(Array.from(least, () => true));
});
