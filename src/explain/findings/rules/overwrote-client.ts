import { isJsonObject } from '../../../machinery/json/json.ts';
import { pathText } from '../../trace/field-path.ts';
import { isCallee, isSameValue } from '../conflicts.ts';
import { describeField, describeList, describeValue } from '../describe-field.ts';
import { actorText, type Finding } from '../finding.ts';
import { valueIn } from '../list-items.ts';
import type { TraceView } from '../trace-view.ts';

/** A webhook or policy replaced a value that the client had sent. */
export const overwroteClient = ({ trace: { request }, decisions }: TraceView): readonly Finding[] =>
  decisions.filter(isCallee).flatMap(({ actor, changes }) => {
    const { body } = request;
    if (!isJsonObject(body)) return [];
    const replaced = changes.filter(
      ({ path, before, after }) =>
        before !== undefined && after !== undefined && isSameValue(valueIn(body, path), before),
    );
    if (replaced.length === 0) return [];
    const texts = replaced.map(
      ({ path, before, after }) => `${describeField(path)} from ${describeValue(before)} to ${describeValue(after)}`,
    );
    return [
      {
        rule: 'overwrote-client',
        severity: 'note',
        title: `${actorText(actor)} changed what the client had set: ${describeList(texts)}`,
        where: { actors: [actor], fields: replaced.map(({ path }) => pathText(path)) },
        evidence: [],
        remedy: `if that is unintended: set the field in ${actor.name} only where it is absent`,
      },
    ];
  });
