/**
 * Calls a listener of the program, such as one for logs. An error in it must not stop the work, and neither must a promise that it returns
 * and that is rejected.
 */
export function notify<Value>(
  listener: ((value: Value) => unknown) | null | undefined,
  value: Value,
): void {
  const call = async () => listener?.(value);
  call().catch(() => {});
}
