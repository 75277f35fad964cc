/** Gives ROLE to each container, unless the first one has it. */
export default ({ request }) => {
  const { containers } = request.object.spec;
  if (containers[0].env !== undefined) return { allowed: true };
  const patch = containers.map((_one, at) => ({
    op: 'add',
    path: `/spec/containers/${at}/env`,
    value: [{ name: 'ROLE', value: 'shop' }],
  }));
  return { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };
};
