/** What an alert keeps of the rating that caused it, as JSON in its row. */
export interface AlertBody {
  readonly title: string;
  readonly details: unknown;
  /** Time of the rating, RFC 3339. */
  readonly rating_as_of: string;
  readonly job_id: string;
  readonly symbol: string | null;
  readonly name: string | null;
}

export function writeAlertBody(body: AlertBody): string {
  return JSON.stringify(body);
}

export function readAlertBody(text: string): AlertBody {
  return JSON.parse(text) as AlertBody;
}
