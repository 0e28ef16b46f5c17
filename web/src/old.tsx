import type { ComponentType } from 'react';
import { useRoute } from './route.ts';
import './style/old.css';

type OldProps = Record<'name' | 'id' | 'search' | 'names' | 'asset' | 'job' | 'tab', string>;

/** A page that is still drawn by the parts and styles of before; it reads the address itself. */
export function old<Props extends Partial<OldProps>>(load: () => Promise<ComponentType<Props>>) {
  return async () => {
    const Old = (await load()) as ComponentType<Partial<OldProps>>;
    // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, outside of drawing
    return { Page: () => <OldPage Old={Old} /> };
  };
}

function OldPage({ Old }: { readonly Old: ComponentType<Partial<OldProps>> }) {
  const { page, subject, query } = useRoute();
  const of = (name: string) => query.get(name) ?? '';
  return (
    <div className="old">
      <Old
        key={`${page}/${subject}${page === 'assets' ? of('q') : ''}`}
        name={subject}
        id={subject}
        search={of('q')}
        names={of('assets')}
        asset={of('asset')}
        job={of('job')}
        tab={of('tab') || 'rating'}
      />
    </div>
  );
}
