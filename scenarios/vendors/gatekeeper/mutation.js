import { allowed, changed } from '../answer.js';

/** What an Assign does that sets the pull policy of containers, as its own documentation has it. */
export default ({ request: { kind, object } }) => {
  if (kind.kind !== 'Pod') return allowed;
  const patch = object.spec.containers.flatMap(({ imagePullPolicy }, at) =>
    imagePullPolicy === 'Always' ? [] : [{ op: 'add', path: `/spec/containers/${at}/imagePullPolicy`, value: 'Always' }],
  );
  return patch.length === 0 ? allowed : changed(patch);
};
