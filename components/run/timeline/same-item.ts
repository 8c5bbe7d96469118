/** Whether two items show the same. Their parts come from events, which never change: two levels tell. */
export function sameItem(a: object, b: object): boolean {
  return sameShallow(a, b, (x, y) => isObject(x) && isObject(y) && sameShallow(x, y, () => false));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function sameShallow(a: object, b: object, otherwise: (x: unknown, y: unknown) => boolean): boolean {
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, value]) => Object.is(value, right.get(key)) || otherwise(value, right.get(key)));
}
