import { allowed, refused } from '../answer.js';

/** disallow-latest-tag of the published policies, with its rule for Pods and the one that is made of it for their controllers. */
export default ({ request: { kind, namespace, object } }) => {
  const spec = object.spec.template?.spec ?? object.spec;
  if (!spec.containers.some(({ image }) => image.endsWith(':latest'))) return allowed;
  const rule = kind.kind === 'Pod' ? 'validate-image-tag' : 'autogen-validate-image-tag';
  return refused(
    `\n\nresource ${kind.kind}/${namespace}/${object.metadata.name} was blocked due to the following policies \n\n` +
      `disallow-latest-tag:\n  ${rule}: 'validation error: Using a mutable image tag e.g. ''latest'' is not allowed.'\n`,
  );
};
