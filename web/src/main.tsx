import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shell } from './shell.tsx';
import './style/theme.css';
import './style/page.css';
import './style/controls.css';
import './style/tables.css';
import './style/marks.css';
import './style/charts.css';
import './style/narrow-and-print.css';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Shell />
    </StrictMode>,
  );
