import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';

export function NoSuchPage() {
  return (
    <Panel title="There is no such page" level={1}>
      <p>
        The address names none. Press <kbd>Ctrl K</kbd> to search, or go to the <Link to="/assets">assets</Link>.
      </p>
    </Panel>
  );
}

/** A page that fails does not affect the others. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const outdated = /dynamically imported module|module script/.test(error instanceof Error ? error.message : '');
  return (
    <Panel title="This page failed" level={1}>
      <p role="alert">
        {outdated
          ? 'The service has been updated since this tab was opened, or cannot be reached. Load the page again.'
          : 'A reply of the service was not as expected. Load the page again; if it stays, report it with the address.'}
      </p>
      <p>
        <Button onClick={() => (outdated ? location.reload() : reset())}>Load again</Button>
      </p>
    </Panel>
  );
}
