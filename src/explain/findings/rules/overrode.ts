import { sameJson } from '../../../machinery/json/json-equal.ts';
import { pathText } from '../../trace/field-path.ts';
import { actorText, type Finding } from '../finding.ts';
import { byDecisions, type Conflict, conflictsOf, isCallee, type OwnedChange } from '../conflicts.ts';
import { fieldWords, listWords, valueWords } from '../field-words.ts';
import { isWithin, replacedBy } from '../list-items.ts';
import type { TraceView } from '../trace-view.ts';

type Conflicts = readonly [Conflict, ...Conflict[]];

const groupsOf = (view: TraceView, isWanted: (conflict: Conflict) => boolean): readonly Conflicts[] =>
  byDecisions(conflictsOf(view).filter((one) => isCallee(one.earlier.by) && isWanted(one)));

/** A plugin changed what a webhook or policy had set: plugins run again in the second round. */
export const pluginOverrode = (view: TraceView): readonly Finding[] =>
  groupsOf(view, ({ later, earlier }) => later.by?.actor.type === 'plugin' && !isByTheWay(earlier)).map((all) => {
    const [{ earlier, later, how }] = all;
    const plugin = later.by?.actor ?? earlier.by.actor;
    return {
      ...common(all),
      rule: 'plugin-overrode',
      title: `${actorText(plugin)} ${pluginVerbs[how]} ${wordsOf(all)}, which ${actorText(earlier.by.actor)} had ${earlier.change.after === undefined ? 'removed' : 'set'}`,
      where: { actors: [plugin, earlier.by.actor], fields: fieldsOf(all) },
      remedy: `plugins run again in the second round: set the value of ${plugin.name} in ${earlier.by.actor.name}, or run kube-apiserver with --disable-admission-plugins=${plugin.name}`,
    };
  });

const pluginVerbs = { restored: 'restored', removed: 'removed', changed: 'changed', 'set-back': 'reset' } as const;

/** Was the field part of a list that was replaced as a whole? Then its return restores it. */
const isByTheWay = ({ by, change: { path, after } }: OwnedChange): boolean =>
  after === undefined && replacedBy(by).some((list) => isWithin(path, list));

/** A webhook or policy removed a field, and the API server set its default. */
export const defaultCameBack = (view: TraceView): readonly Finding[] =>
  groupsOf(
    view,
    ({ how, later, earlier }) =>
      later.by === undefined && how === 'restored' && !sameJson(later.change.after, earlier.change.before),
  ).map((all) => {
    const [{ earlier }] = all;
    return {
      ...common(all),
      rule: 'default-came-back',
      title: `${actorText(earlier.by.actor)} removed ${wordsOf(all)}, and the API server set its default`,
      where: { actors: [earlier.by.actor], fields: fieldsOf(all) },
      remedy: `a field with a default cannot be removed: write the value in ${earlier.by.actor.name}, and keep all other fields`,
    };
  });

/** A webhook or policy set a field that the API server dropped: unknown to the schema, or read-only. */
export const droppedAgain = (view: TraceView): readonly Finding[] =>
  groupsOf(view, ({ how, later }) => later.by === undefined && how === 'removed').map((all) => {
    const [{ earlier }] = all;
    return {
      ...common(all),
      rule: 'dropped',
      title: `${actorText(earlier.by.actor)} set ${wordsOf(all)}, and the API server dropped ${all.length === 1 ? 'it' : 'them'}`,
      where: { actors: [earlier.by.actor], fields: fieldsOf(all) },
      remedy:
        'the schema of this version does not have the field, or only another request may set it (status): correct the path, or the CustomResourceDefinition',
    };
  });

const common = (all: Conflicts): Pick<Finding, 'severity' | 'evidence'> => ({
  severity: 'warning',
  evidence: all.map(({ earlier, later }) => ({
    text: `${fieldWords(later.change.path)}: ${valueWords(later.change.before ?? earlier.change.before)}, then ${valueWords(later.change.after)}`,
    decision: later.by?.at ?? earlier.by.at,
  })),
});

const wordsOf = (all: Conflicts): string => listWords(all.map(({ later }) => fieldWords(later.change.path)));

const fieldsOf = (all: Conflicts): readonly string[] => all.map(({ later }) => pathText(later.change.path));
