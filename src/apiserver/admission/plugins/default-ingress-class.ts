import { asObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { BuiltinPlugin } from '../chain/plugin.ts';
import { defaultClass } from './default-class.ts';
import { forResource, pass } from './handled-resource.ts';

const ingressClasses = { group: 'networking.k8s.io', resource: 'ingressclasses' };
const mark = 'ingressclass.kubernetes.io/is-default-class';
const classAnnotation = 'kubernetes.io/ingress.class';

/**
 * Sets the default class of an Ingress without one. Follows kubernetes
 * plugin/pkg/admission/network/defaultingressclass/admission.go (rule PLG-22).
 */
export const defaultIngressClass: BuiltinPlugin = {
  name: 'DefaultIngressClass',
  operations: ['CREATE'],
  mutate: forResource({ group: 'networking.k8s.io', resource: 'ingresses' }, (request, { cluster }) => {
    const { object } = request;
    const spec = asObject(object.spec);
    const hasClass =
      spec.ingressClassName !== undefined || metadataOf(object).annotations?.[classAnnotation] !== undefined;
    const chosen = hasClass ? undefined : defaultClass(cluster.list(ingressClasses), [mark]);
    if (chosen === undefined) return pass(request);
    const ingressClassName = metadataOf(chosen).name;
    return ok({ object: { ...object, spec: { ...spec, ingressClassName } } });
  }),
};
