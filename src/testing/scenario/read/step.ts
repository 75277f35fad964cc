import { asObject } from '../../../machinery/json/json.ts';
import type { Step } from '../format.ts';
import { actions } from '../schema/step-schema.ts';
import { readActions } from './action.ts';
import { readExpectation } from './expectation.ts';
import type { Located } from './located.ts';
import type { Reading } from './reading.ts';
import { rowsOf } from './rows.ts';
import { readAs } from './users.ts';
import { scalarText } from './scalar-text.ts';

/** The steps that one entry of `steps` stands for: one for each object of its file. */
export async function readSteps(at: Located, reading: Reading): Promise<readonly Step[]> {
  const verbs = at.entries().filter(([name]) => Object.hasOwn(actions, name));
  const [verb] = verbs;
  if (!verb || verbs.length > 1) {
    reading.problems.at(
      at,
      verb
        ? `does ${verbs.map(([name]) => name).join(' and ')}: make a step of each`
        : `says not what to do: add one of ${Object.keys(actions).join(', ')}`,
    );
    return [];
  }
  const { name, dryRun, only } = asObject(at.value);
  const expectAt = at.get('expect');
  const base: Omit<Step, 'name' | 'action'> = {
    place: at.place,
    as: readAs(at.get('as'), reading.users),
    dryRun: dryRun === true,
    expect: readExpectation(expectAt, at.place, reading),
    only: only === 'kadmit' || only === 'target' ? [only] : [],
    when: readWhen(at.get('when')),
  };
  const read = await readActions(verb[0], at, reading);
  const steps = read.map(({ action, title }) => ({
    ...base,
    action,
    name: typeof name === 'string' ? named(name, title, read.length) : title,
  }));
  return at.get('allowed') || at.get('denied') ? steps.flatMap((step) => rowsOf(step, at)) : steps;
}

/** Steps of one file keep what they are about behind the name. */
const named = (name: string, title: string, count: number): string => (count > 1 ? `${name}: ${title}` : name);

const readWhen = (at: Located | undefined): Step['when'] =>
  Object.fromEntries(
    (at?.entries() ?? []).map(([axis, { value }]) => [
      axis,
      Array.isArray(value) ? value.map(scalarText) : [scalarText(value)],
    ]),
  );
