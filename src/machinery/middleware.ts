export type Middleware<Port> = (port: Port) => Port;

/** The first is the outermost. */
export const wrap = <Port>(port: Port, around: readonly Middleware<Port>[]): Port =>
  around.reduceRight((inner, one) => one(inner), port);
