/** The releases of Kubernetes that can be followed, the one that is followed by itself last. */
export const releaseNames: readonly string[] = ['1.32', '1.33', '1.34', '1.35', '1.36'];

/** The one that is followed unless another one is asked for. */
export const followedVersion = 'v1.36.2';
