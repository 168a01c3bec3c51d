/** What a promise resolves to, or what `otherwise` says once its time is over. */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  otherwise: () => Value,
) {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<Value>((resolve) => {
    // It keeps no process alive that has nothing else to do.
    timer = setTimeout(() => resolve(otherwise()), milliseconds).unref();
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
