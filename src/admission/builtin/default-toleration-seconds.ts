import { asList, asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { ok } from '../../apimachinery/result.ts';
import type { BuiltinPlugin } from '../plugin.ts';
import { forResource, pass, pods } from './handled-resource.ts';

/** How many seconds a Pod stays on a node that is lost, by taint; the flags say it. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** Whether the toleration already says how long the pod may stay; without key or effect it is about all of them. */
const covers = (taint: string) => (toleration: JsonObject) =>
  [taint, undefined, ''].includes(toString(toleration['key'])) &&
  ['NoExecute', undefined, ''].includes(toString(toleration['effect']));

const toString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * A pod stays for a while, five minutes unless told otherwise, on a node that is lost.
 * Follows kubernetes plugin/pkg/admission/defaulttolerationseconds/admission.go (rule PLG-16).
 */
export const createDefaultTolerationSeconds = ({ notReady, unreachable }: TolerationSeconds): BuiltinPlugin => ({
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(pods, (request) => {
    const { object } = request;
    const spec = asObject(object.spec);
    const tolerations = asList(spec.tolerations);
    const seconds = { 'node.kubernetes.io/not-ready': notReady, 'node.kubernetes.io/unreachable': unreachable };
    const missing = Object.entries(seconds).filter(([taint]) => !tolerations.some(covers(taint)));
    if (missing.length === 0) return pass(request);
    const added = missing.map(([key, tolerationSeconds]) => lostToleration(key, tolerationSeconds));
    return ok({
      object: { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } },
    });
  }),
});

const lostToleration = (key: string, tolerationSeconds: number): JsonObject => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});
