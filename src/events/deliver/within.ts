/** Resolves like a promise, or to the result of `otherwise` after a timeout. */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  otherwise: () => Value,
) {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<Value>((resolve) => {
    // The timer must not keep the process alive.
    timer = setTimeout(() => resolve(otherwise()), milliseconds).unref();
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
