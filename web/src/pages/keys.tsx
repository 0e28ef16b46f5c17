import { Keys } from '../account/keys.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead } from '../parts/panel.tsx';

/** The keys of all accounts, for the operator. */
export function Page() {
  return (
    <>
      <PageHead
        title="All keys"
        sub="Keys of every account; each owner manages the keys of their own account on the page Account."
      />
      <NeedsScope scope="admin" to="manage the keys of all accounts">
        <Keys of="admin" />
      </NeedsScope>
    </>
  );
}
