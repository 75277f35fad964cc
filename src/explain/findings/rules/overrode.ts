import { sameJson } from '../../../machinery/json/json-equal.ts';
import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { byTurns, conflictsOf, isCallee } from '../conflicts.ts';
import type { Conflict, OwnedChange } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isWithin } from '../list-items.ts';
import type { Reading } from '../reading.ts';
import { replacedBy } from '../whole-value-patch.ts';

type Conflicts = readonly [Conflict, ...Conflict[]];

const groupsOf = (reading: Reading, isWanted: (conflict: Conflict) => boolean): readonly Conflicts[] =>
  byTurns(conflictsOf(reading).filter((one) => isCallee(one.earlier.turn) && isWanted(one)));

/** A plugin changed what a webhook or policy had set: plugins run again in the second round. */
export const pluginOverrode = (reading: Reading): readonly Finding[] =>
  groupsOf(reading, ({ later, earlier }) => later.turn?.actor.type === 'plugin' && !isByTheWay(earlier)).map((all) => {
    const [{ earlier, later, how }] = all;
    const plugin = later.turn?.actor ?? earlier.turn.actor;
    return {
      ...common(all),
      rule: 'plugin-overrode',
      title: `${actorText(plugin)} ${pluginVerbs[how]} ${wordsOf(all)}, which ${actorText(earlier.turn.actor)} had ${earlier.change.after === undefined ? 'removed' : 'set'}`,
      where: { actors: [plugin, earlier.turn.actor], fields: fieldsOf(all) },
      remedy: `plugins run again in the second round: let ${earlier.turn.actor.name} set what ${plugin.name} would, or run kube-apiserver with --disable-admission-plugins=${plugin.name}`,
    };
  });

const pluginVerbs = { restored: 'put back', removed: 'removed', changed: 'changed', 'set-back': 'set back' } as const;

/** Was the field part of a list that was replaced as a whole? Then its return restores it. */
const isByTheWay = ({ turn, change: { path, after } }: OwnedChange): boolean =>
  after === undefined && replacedBy(turn).some((list) => isWithin(path, list));

/** A webhook or policy removed a field, and the API server set its default. */
export const defaultCameBack = (reading: Reading): readonly Finding[] =>
  groupsOf(
    reading,
    ({ how, later, earlier }) =>
      later.turn === undefined && how === 'restored' && !sameJson(later.change.after, earlier.change.before),
  ).map((all) => {
    const [{ earlier }] = all;
    return {
      ...common(all),
      rule: 'default-came-back',
      title: `${actorText(earlier.turn.actor)} left out ${wordsOf(all)}, and the API server filled in its default`,
      where: { actors: [earlier.turn.actor], fields: fieldsOf(all) },
      remedy: `a field with a default cannot be taken away: let ${earlier.turn.actor.name} write the value that it wants, and leave what it does not mean to change`,
    };
  });

/** A webhook or policy set a field that the API server dropped: unknown to the schema, or read-only. */
export const droppedAgain = (reading: Reading): readonly Finding[] =>
  groupsOf(reading, ({ how, later }) => later.turn === undefined && how === 'removed').map((all) => {
    const [{ earlier }] = all;
    return {
      ...common(all),
      rule: 'dropped',
      title: `${actorText(earlier.turn.actor)} set ${wordsOf(all)}, and the API server dropped ${all.length === 1 ? 'it' : 'them'}`,
      where: { actors: [earlier.turn.actor], fields: fieldsOf(all) },
      remedy: `the schema of this version does not have such a field, or only another request may set it (status): correct the path, or the CustomResourceDefinition`,
    };
  });

const common = (all: Conflicts): Pick<Finding, 'severity' | 'evidence'> => ({
  severity: 'warning',
  evidence: all.map(({ earlier, later }) => ({
    text: `${fieldWords(later.change.path)}: ${valueWords(later.change.before ?? earlier.change.before)}, then ${valueWords(later.change.after)}`,
    decision: later.turn?.at ?? earlier.turn.at,
  })),
});

const wordsOf = (all: Conflicts): string => listWords(all.map(({ later }) => fieldWords(later.change.path)));

const fieldsOf = (all: Conflicts): readonly string[] => all.map(({ later }) => pathText(later.change.path));
