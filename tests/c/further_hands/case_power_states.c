// ARGS: --model linux --entries power_on,power_off,on_fault,on_tick --parameterized
// The power states of a device with its clock and its voltage, driven by four entry points under one spinlock.
#include <linux/spinlock.h>
#include <linux/bug.h>

enum power { P_OFF, P_RAMP, P_ON, P_FAULT };

struct psu {
	spinlock_t lock;
	enum power state;
	int millivolts;
	int clock_on;
	unsigned int faults;
};

static struct psu psu = { .lock = __SPIN_LOCK_UNLOCKED(psu.lock) };

int power_on(void)
{
	spin_lock(&psu.lock);
	if (psu.state != P_OFF) {
		spin_unlock(&psu.lock);
		return -1;
	}
	psu.state = P_RAMP;
	psu.millivolts = 1200;
	BUG_ON(psu.clock_on); // SAFE
	spin_unlock(&psu.lock);
	return 0;
}

void on_tick(void)
{
	spin_lock(&psu.lock);
	if (psu.state == P_RAMP) {
		psu.millivolts += 300; // SAFE
		if (psu.millivolts >= 1800) {
			psu.clock_on = 1;
			psu.state = P_ON;
		}
	}
	BUG_ON(psu.state == P_ON && psu.millivolts != 1800); // SAFE
	BUG_ON(psu.clock_on && psu.state != P_ON); // SAFE
	spin_unlock(&psu.lock);
}

void power_off(void)
{
	spin_lock(&psu.lock);
	if (psu.state == P_ON || psu.state == P_RAMP) {
		psu.clock_on = 0;
		psu.millivolts = 0;
		psu.state = P_OFF;
	}
	BUG_ON(psu.millivolts > 0); // SAFE
	spin_unlock(&psu.lock);
	BUG_ON(psu.clock_on); // UNSAFE!
}

void on_fault(void)
{
	spin_lock(&psu.lock);
	switch (psu.state) {
	case P_ON:
		BUG_ON(!psu.clock_on); // SAFE
		psu.clock_on = 0;
		/* fall through */
	case P_RAMP:
		psu.millivolts = 0;
		psu.state = P_FAULT;
		if (psu.faults < 5)
			psu.faults++;
		break;
	case P_FAULT:
		BUG_ON(psu.faults == 0); // SAFE
		psu.state = P_OFF;
		break;
	case P_OFF:
		break;
	}
	BUG_ON(psu.state == P_OFF && psu.faults == 0); // UNSAFE!
	spin_unlock(&psu.lock);
}
