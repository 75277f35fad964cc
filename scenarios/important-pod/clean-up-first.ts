interface Review {
  readonly request: { readonly oldObject: { readonly metadata: Metadata } };
}

interface Metadata {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A deletion has no new object: what is about to go is the old one. */
export default function review({ request }: Review) {
  const { name, annotations } = request.oldObject.metadata;
  if (annotations?.['cleaned-up'] === 'true') return { allowed: true };
  const message = `Pod ${name} is important: annotate it with cleaned-up=true when its clean-up is done`;
  return { allowed: false, status: { code: 403, message } };
}
