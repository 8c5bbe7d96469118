const MINUTES_PER_UNIT = { d: 24 * 60, h: 60, m: 1 };

/** A duration such as `1d 2h 15m`, in minutes. Throws a RangeError for what is not one. */
export function minutes(text) {
  const parts = text.trim().split(/\s+/);
  let total = 0;
  for (const part of parts) {
    const match = /^(\d+)([dhm])$/.exec(part);
    if (match === null) throw new RangeError(`not a duration: ${text}`);
    total = Number(match[1]) * MINUTES_PER_UNIT[match[2]];
  }
  return total;
}
