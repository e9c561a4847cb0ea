import { describeSimultaneousAnswers } from '../testing/simultaneous-answers';

describeSimultaneousAnswers(25);
