/* <linux/input.h> over the kernel's own: new input devices, their private data, and what is called to poll them */
#ifndef DUET_OVERLAY_INPUT_H
#define DUET_OVERLAY_INPUT_H

#include_next <linux/input.h>
#include <linux/slab.h>
#include <duet/intrinsics.h>

static inline struct input_dev *input_allocate_device(void)
{
	return kmalloc(sizeof(struct input_dev), 0);
}
static inline struct input_dev *devm_input_allocate_device(struct device *device)
{
	return input_allocate_device();
}
static inline void *input_get_drvdata(struct input_dev *input)
{
	return input->dev.driver_data;
}
static inline void input_set_drvdata(struct input_dev *input, void *data)
{
	input->dev.driver_data = data;
}
/* The function is called from the registration on, as long as the device is open; `poller` is where it is found. */
#define input_setup_polling(input, poll) ((input)->poller = (struct input_dev_poller *)(poll), __duet_status())

#endif
