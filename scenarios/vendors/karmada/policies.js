import { allowed, changed, refused } from '../answer.js';

/** Selectors without a namespace get that of the policy; clusters are not chosen and spread by at once. */
export default ({ request: { namespace, object } }) => {
  const { resourceSelectors, placement } = object.spec;
  if (placement?.spreadConstraints?.some(({ spreadByField, spreadByLabel }) => spreadByField && spreadByLabel)) {
    return refused('spec.placement.spreadConstraints[0]: Invalid value: spreadByLabel should not co-exist with spreadByField', 422);
  }
  const patch = resourceSelectors.flatMap((selector, at) =>
    selector.namespace ? [] : [{ op: 'add', path: `/spec/resourceSelectors/${at}/namespace`, value: namespace }],
  );
  return patch.length === 0 ? allowed : changed(patch);
};
