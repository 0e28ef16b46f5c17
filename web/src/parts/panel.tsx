import type { ReactNode } from 'react';

/** The box of all content: heading, a figure or a link at its right, content, a foot note. */
export function Panel({
  title,
  level = 2,
  sub,
  meta,
  foot,
  className = '',
  children,
}: {
  readonly title: ReactNode;
  readonly level?: 1 | 2;
  readonly sub?: ReactNode;
  readonly meta?: ReactNode;
  readonly foot?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <section className={`panel ${className}`}>
      <header>
        <Heading>{title}</Heading>
        {sub && <span className="sub">{sub}</span>}
        {meta && <span className="meta">{meta}</span>}
      </header>
      {children}
      {foot && <p className="foot">{foot}</p>}
    </section>
  );
}

/** A panel opened by its heading, for details that few readers need. */
export function Folded({
  title,
  sub,
  children,
}: {
  readonly title: string;
  readonly sub?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <details className="panel">
      <summary>
        <h2>{title}</h2> {sub && <span className="sub">{sub}</span>}
      </summary>
      {children}
    </details>
  );
}

/** The head of a page: its name, a short description, and its buttons. */
export function PageHead({
  title,
  sub,
  children,
}: {
  readonly title: ReactNode;
  readonly sub?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {sub && <p className="q">{sub}</p>}
      {children && <div className="actions">{children}</div>}
    </div>
  );
}

/** One figure with its label, in a row of figures. */
export function Figures({
  figures,
}: {
  readonly figures: readonly { readonly name: string; readonly value: ReactNode; readonly more?: ReactNode }[];
}) {
  return (
    <dl className="figures">
      {figures.map(({ name, value, more }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b> {more && <span>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
