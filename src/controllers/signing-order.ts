export interface SigningOrder {
  /** PEM in base64, as in spec.request. */
  readonly request: string;
  readonly signerName: SignerName;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** Signs with the server's CA. `failure`: the request is invalid for its signer. */
export type SignRequest = (
  order: SigningOrder,
) => Promise<{ readonly certificate: string } | { readonly failure: string }>;

export const signerNames = [
  'kubernetes.io/kube-apiserver-client',
  'kubernetes.io/kube-apiserver-client-kubelet',
  'kubernetes.io/kubelet-serving',
] as const;

type SignerName = (typeof signerNames)[number];
