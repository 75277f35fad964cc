/** Gives ROLE to each container that has no variables. */
export default ({ request }) => {
  const patch = request.object.spec.containers.flatMap(({ env }, at) =>
    env === undefined
      ? [{ op: 'add', path: `/spec/containers/${at}/env`, value: [{ name: 'ROLE', value: 'shop' }] }]
      : [],
  );
  return { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };
};
