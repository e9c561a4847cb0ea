export { KeyPage } from '../../pages/keys/key-page';
export { KeysPage } from '../../pages/keys/keys-page';
export { ProjectPage } from '../../pages/projects/project-page';
export { ProjectsPage } from '../../pages/projects/projects-page';
export { CredentialsPage } from '../../pages/provider-credentials/credentials-page';
