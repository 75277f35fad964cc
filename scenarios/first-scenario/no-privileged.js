/** Takes an AdmissionReview and returns its response. */
export default ({ request }) => {
  const privileged = request.object.spec.containers.filter(({ securityContext }) => securityContext?.privileged);
  if (privileged.length === 0) return { allowed: true };
  const names = privileged.map(({ name }) => name).join(', ');
  return { allowed: false, status: { code: 403, message: `privileged containers are not allowed: ${names}` } };
};
