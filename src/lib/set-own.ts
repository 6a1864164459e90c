/**
 * Sets an own, enumerable property, whatever its name: plain assignment to `__proto__` would change the
 * object's prototype instead.
 */
export const setOwn = <T>(target: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}
