interface Review {
  readonly request: {
    readonly userInfo: { readonly username: string };
    readonly object: { readonly metadata: { readonly generateName?: string } };
  };
}

/** Pods come from controllers, which let the server name them. */
export default function ({ request }: Review): unknown {
  const { username } = request.userInfo;
  const isMade = username.startsWith('system:serviceaccount:kube-system:') && request.object.metadata.generateName;
  return isMade ? { allowed: true } : { allowed: false, status: { message: `${username} makes no Pods by hand` } };
}
