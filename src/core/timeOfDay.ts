/** Local time as `12:31:04`, with the date before it when that is not today's. */
export function timeOfDay(wall: number, now: number): string {
  const at = new Date(wall);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
