/** Wants an image in each container, and takes whatever comes for a Pod. */
export default ({ request }) => ({ allowed: request.object.spec.containers.every(({ image }) => image !== '') });
