/** Gives AWS_ROLE_ARN to the containers it sees, and speaks v1beta1 only: a v1 review would be a mistake of the server. */
export default ({ apiVersion, request }) => {
  if (apiVersion !== 'admission.k8s.io/v1beta1') throw new Error(`called in ${apiVersion}`);
  const variable = { name: 'AWS_ROLE_ARN', value: 'arn:aws:iam::111122223333:role/app' };
  const patch = request.object.spec.containers.map(({ env }, index) =>
    env === undefined
      ? { op: 'add', path: `/spec/containers/${index}/env`, value: [variable] }
      : { op: 'add', path: `/spec/containers/${index}/env/-`, value: variable },
  );
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
};
