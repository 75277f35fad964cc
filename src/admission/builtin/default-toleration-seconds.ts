import { asList, asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { ok } from '../../apimachinery/result.ts';
import { withFields } from '../../schema/types/with-fields.ts';
import type { BuiltinPlugin } from '../plugin.ts';
import { forResource, pass, pods } from './handled-resource.ts';

const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Whether the toleration already says how long the pod may stay; without key or effect it is about all of them. */
const covers = (taint: string) => (toleration: JsonObject) =>
  [taint, undefined, ''].includes(toString(toleration['key'])) &&
  ['NoExecute', undefined, ''].includes(toString(toleration['effect']));

const toString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * A pod stays five minutes on a node that is lost.
 * Follows kubernetes plugin/pkg/admission/defaulttolerationseconds/admission.go (rule PLG-16).
 */
export const defaultTolerationSeconds: BuiltinPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(pods, (request) => {
    const { object } = request;
    const spec = asObject(object['spec']);
    const tolerations = asList(spec['tolerations']);
    const missing = lostNodeTaints.filter((taint) => !tolerations.map(asObject).some(covers(taint)));
    if (missing.length === 0) return pass(request);
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    return ok({
      object: { ...object, spec: withFields('core.v1.PodSpec', spec, { tolerations: [...tolerations, ...added] }) },
    });
  }),
};
