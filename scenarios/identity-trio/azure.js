/** Gives AZURE_CLIENT_ID to every container that does not have it yet, so being called twice does no harm. */
export default ({ request }) => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(request.object.spec.containers.flatMap(addVariable))).toString('base64'),
});

function addVariable({ env }, index) {
  const variable = { name: 'AZURE_CLIENT_ID', value: '11111111-2222-3333-4444-555555555555' };
  if (env === undefined) return [{ op: 'add', path: `/spec/containers/${index}/env`, value: [variable] }];
  if (env.some(({ name }) => name === variable.name)) return [];
  return [{ op: 'add', path: `/spec/containers/${index}/env/-`, value: variable }];
}
