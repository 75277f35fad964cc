export type Around<Port> = (port: Port) => Port;

/** The first is the outermost. */
export const within = <Port>(port: Port, around: readonly Around<Port>[]): Port =>
  around.reduceRight((inner, one) => one(inner), port);
