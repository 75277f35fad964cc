export async function allStored(all: readonly Promise<boolean>[]): Promise<boolean> {
  return !(await Promise.all(all)).includes(false);
}
